import KVOController

#if KVO_FUZZ
/// What the package's own function does in builds that don't check locks, which another package can't call.
func requireNoLock(_ what: StaticString) {}
#endif

/// A value, or anything else that a user passes, which must not be compared, hashed, described, or released while a lock is held. The
/// process stops if it is, in the build of the check `locks`.
package class Tripwire: Hashable, CustomStringConvertible, @unchecked Sendable {
  package let number: Int

  package init(_ number: Int = 0) { self.number = number }

  deinit { requireNoLock("a tripwire is released") }

  package static func == (left: Tripwire, right: Tripwire) -> Bool {
    requireNoLock("a tripwire is compared")
    return left.number == right.number
  }

  package func hash(into hasher: inout Hasher) {
    requireNoLock("a tripwire is hashed")
    hasher.combine(number)
  }

  package var description: String {
    requireNoLock("a tripwire is described")
    return "\(number)"
  }
}
