#if !canImport(ObjectiveC)
import Synchronization

/// What tells the running thread from all others, also from those that have ended and whose handles are used again.
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
