import CKeyValueObserving

/// An identity of a thread, which no other thread has.
struct ThreadIdentity: Hashable, Sendable {
  /// A number that is never reused, unlike a thread's handle.
  private let number: UInt

  private static let own = ThreadLocal()

  /// A part of the number, which differs for any two of four billion threads.
  var shortNumber: UInt32 { UInt32(truncatingIfNeeded: number) }

  /// The identity of no thread.
  static let none = ThreadIdentity(number: 0)

  static var current: ThreadIdentity {
    if own.value == 0 { own.value = UInt(truncatingIfNeeded: kvo_next_number()) }
    return ThreadIdentity(number: own.value)
  }
}
