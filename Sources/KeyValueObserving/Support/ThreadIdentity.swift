#if !canImport(ObjectiveC)
import Synchronization

/// What tells the running thread from all others, also from those that have ended and whose handles are used again.
struct ThreadIdentity: Hashable, Sendable {
  private let number: UInt

  private static let count = Atomic<UInt>(0)
  private static let key = "KeyValueObserving.ThreadIdentity"

  static var current: ThreadIdentity {
    let dictionary = Thread.current.threadDictionary
    if let number = dictionary[key] as? UInt { return ThreadIdentity(number: number) }
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    dictionary[key] = number
    return ThreadIdentity(number: number)
  }
}
#endif
