#if !canImport(ObjectiveC)
import Synchronization
#endif

/// An identity of a thread, which no other thread has while it runs.
struct ThreadIdentity: Hashable, Sendable {
  #if canImport(ObjectiveC)
  private let thread: ObjectIdentifier

  static var current: ThreadIdentity { ThreadIdentity(thread: ObjectIdentifier(Thread.current)) }
  #else
  /// A number that is never reused, unlike a thread's handle.
  private let number: UInt

  private static let count = Atomic<UInt>(0)
  private static let own = ThreadLocal()

  static var current: ThreadIdentity {
    if own.value == 0 { own.value = count.wrappingAdd(1, ordering: .relaxed).newValue }
    return ThreadIdentity(number: own.value)
  }
  #endif
}
