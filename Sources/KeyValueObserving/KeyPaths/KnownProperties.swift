/// The number of `@Observed` properties whose own key paths have become known. While it stays the same, a key path whose keys
/// aren't known has none, so that it doesn't need to be resolved again.
package enum KnownProperties {
  private static let number = LockedState(0)

  package static var count: Int { number.withLock { $0 } }

  static func add() { number.withLock { $0 += 1 } }
}
