import CKeyValueObserving
import Foundation

/// Whether the running code may touch the actor's state.
func isOnExecutor(of actor: any Actor) -> Bool {
  if actor === MainActor.shared, MainQueue.isCurrent { return true }
  // The reference consists of two words, the executor's identity and how it is called.
  let executor = unsafeBitCast(actor.unownedExecutor, to: (UnsafeRawPointer?, UInt).self)
  return kvo_is_on_executor(executor.0, executor.1)
}

/// The main dispatch queue, on which code of the main actor runs.
///
/// In a program that calls `dispatchMain()` there is no main thread anymore, and the queue uses other threads.
struct MainQueue: @unchecked Sendable {
  // Immutable; only the address of the object is used.
  private let key = DispatchSpecificKey<Bool>()

  private init() {
    DispatchQueue.main.setSpecific(key: key, value: true)
  }

  private static let shared = MainQueue()

  /// Whether this is the main thread: 0 if that isn't known yet, 1 for yes, 2 for no. Outside of Apple platforms the answer
  /// takes a system call.
  private static let thread = ThreadLocal()

  /// Whether the running code is on the main thread or the main queue.
  static var isCurrent: Bool {
    var answer = thread.value
    if answer == 0 {
      answer = Thread.isMainThread ? 1 : 2
      thread.value = answer
    }
    return answer == 1 || DispatchQueue.getSpecific(key: shared.key) == true
  }
}
