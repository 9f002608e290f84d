/// The rounds of a test in which a new object may have the address of a deallocated one.
///
/// There are 200 of them, and more until an address was reused. Allocators usually reuse one immediately; one that never
/// does, such as the Address Sanitizer's, ends the search after 2,000. What a test expects holds in every round.
package struct ReusedAddresses {
  private var addresses: Set<ObjectIdentifier> = []
  private var wasReused = false
  private var round = 0

  package init() {}

  /// The number of the next round; nil if there is none.
  package mutating func nextRound() -> Int? {
    guard round < (wasReused ? 200 : 2_000) else { return nil }
    defer { round += 1 }
    return round
  }

  /// Notes the address of an object that is about to be deallocated, or has just been created.
  package mutating func note(_ object: AnyObject) {
    if !addresses.insert(ObjectIdentifier(object)).inserted { wasReused = true }
  }
}
