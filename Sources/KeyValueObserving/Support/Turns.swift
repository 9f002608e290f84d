import CKeyValueObserving

/// The order of changes that threads make concurrently, and that wait in one queue, which the lock guards.
///
/// A change takes a turn after it was made. A value that is read afterwards contains all changes that took theirs before. So
/// what is queued is never older than what was queued before, if a change is accepted only while no other change took a turn, and
/// no other was accepted, since its value was read. Otherwise the value is read again.
package final class Turns: LockedObject, @unchecked Sendable {
  /// The bit of the number that says that changes are waiting. The other bits count turns.
  private static let waiting: UInt32 = 1
  private static let one: UInt32 = 2

  package override init() {}

  /// Takes a turn.
  ///
  /// - Returns: The turn, and whether changes are waiting.
  @inline(__always)
  package func take() -> (turn: UInt32, isWaiting: Bool) {
    let former = kvo_add_to_number(lockAddress, Self.one)
    return ((former &+ Self.one) & ~Self.waiting, former & Self.waiting != 0)
  }

  /// The latest turn; 0 if none was taken.
  package var latest: UInt32 { number & ~Self.waiting }

  /// Ends a turn, unless another one was taken since, or changes are waiting.
  package func pass(_ turn: UInt32) -> Bool {
    kvo_exchange_number(lockAddress, turn, turn &+ Self.one)
  }

  /// Ends a turn, unless another one was taken since, and records that a change is waiting, which the caller appends to the
  /// queue. Called with the lock.
  package func accept(_ turn: UInt32) -> Bool {
    let next = (turn &+ Self.one) | Self.waiting
    return kvo_exchange_number(lockAddress, turn, next)
      || kvo_exchange_number(lockAddress, turn | Self.waiting, next)
  }

  /// Records that no changes are waiting. Called with the lock.
  package func didEmpty() { kvo_clear_bits_of_number(lockAddress, Self.waiting) }
}
