/// Ends what controllers observe for an object, when it dies.
///
/// The object keeps it. Handlers need none, for a handler without an observer isn't called; who waits for a sequence
/// would wait for ever.
///
/// - Thread safety: The controllers stand under a lock.
final class ObserverLifeline: @unchecked Sendable {
  private struct Member {
    weak let controller: KVOController?
  }

  private let lock = UnfairLock()
  private var members: [Member] = []

  deinit {
    for member in members { member.controller?.unobserveAll() }
  }

  func insert(_ controller: KVOController) {
    // Controllers that are looked at are released after the lock, for that may run their deinit.
    let present = lock.withLock { members }.filter { $0.controller != nil && $0.controller !== controller }
    lock.withLock { members = present + [Member(controller: controller)] }
  }
}
