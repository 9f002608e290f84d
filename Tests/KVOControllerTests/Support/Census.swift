import KVOController
import _KVOTestSupport

/// Counts the residents that are alive.
final class Census: Sendable {
  fileprivate let count = Locked(0)

  var living: Int { count.current }
}

/// Something whose life is counted, and that may act at its end.
final class Resident: @unchecked Sendable {
  private let census: Census
  private let whenReleased: (() -> Void)?

  init(_ census: Census, whenReleased: (() -> Void)? = nil) {
    self.census = census
    self.whenReleased = whenReleased
    census.count.add()
  }

  deinit {
    requireNoLock("what a handler has captured is released")
    whenReleased?()
    census.count.add(-1)
  }

  /// Does nothing. A closure that calls it retains the resident.
  func stay() {}
}
