/// A weak reference, to see whether something is still alive.
package struct Weak<Object: AnyObject> {
  package private(set) weak var object: Object?

  package init(_ object: Object?) {
    self.object = object
  }

  package var isAlive: Bool { object != nil }
}

/// Those of several objects that are alive.
package func rolesAlive<Role: Hashable>(_ lives: [Role: Bool]) -> Set<Role> { Set(lives.filter(\.value).keys) }

// Nothing sets the reference once it is made, and a weak reference can be read on any thread.
extension Weak: @unchecked Sendable where Object: Sendable {}

/// All orders in which some roles may end.
package func permutations<Role: Equatable>(of roles: [Role]) -> [[Role]] {
  guard !roles.isEmpty else { return [[]] }
  return roles.flatMap { first in permutations(of: roles.filter { $0 != first }).map { [first] + $0 } }
}
