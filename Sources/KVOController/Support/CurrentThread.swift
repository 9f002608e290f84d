import CKeyValueObserving
import Foundation

/// A number or an address of the running thread for each use, initially 0.
enum ThreadLocal: Int32 {
  case frame, identity, isMain

  var value: UInt {
    get { kvo_thread_word(rawValue) }
    nonmutating set { kvo_set_thread_word(rawValue, newValue) }
  }
}

enum CurrentThread {
  /// A number that no other thread has, and that is never reused, unlike a thread's handle. It isn't 0.
  static var identity: UInt {
    let own = ThreadLocal.identity
    if own.value == 0 { own.value = UInt(truncatingIfNeeded: kvo_next_number()) }
    return own.value
  }
}

/// Whether the running code may touch the actor's state.
func isOnExecutor(of actor: any Actor) -> Bool {
  requireNoLock("an actor is asked for its executor")
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

  /// Whether the running code is on the main thread or the main queue. The thread's answer is 1 for yes, and 2 for no. Outside of Apple
  /// platforms asking Foundation takes a system call.
  static var isCurrent: Bool {
    let thread = ThreadLocal.isMain
    if thread.value == 0 { thread.value = Thread.isMainThread ? 1 : 2 }
    return thread.value == 1 || DispatchQueue.getSpecific(key: shared.key) == true
  }
}
