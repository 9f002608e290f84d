#if !canImport(ObjectiveC)
import Synchronization

/// The identity of a thread, which is never reused, unlike a thread's handle.
struct ThreadIdentity: Hashable, Sendable {
  private let number: UInt

  private static let count = Atomic<UInt>(0)
  private static let own = ThreadLocal()

  static var current: ThreadIdentity {
    if own.value == 0 { own.value = count.wrappingAdd(1, ordering: .relaxed).newValue }
    return ThreadIdentity(number: own.value)
  }
}
#endif
