/// The part with which a proxy was created, which only the package's own initializer sets. Apple's initializers can't be
/// overridden, so it has to be set after them.
func made<Part>(_ part: Part?) -> Part {
  guard let part else { refuseCreation() }
  return part
}

/// Traps because a proxy is created with an initializer of Foundation's collections.
func refuseCreation() -> Never {
  misuse(
    "Cannot create a mutable view of a to-many property", because: "only KeyValueObject creates them",
    remedy: "Create one of Foundation's collections, or call mutableArrayValue(forKey:) or its counterparts.")
}

extension NSSet {
  func containsAll(_ objects: [Any]) -> Bool { objects.allSatisfy { contains($0) } }
}

extension ComparisonResult {
  /// The result for the number that a comparison function returns.
  init(_ number: Int) {
    self = number < 0 ? .orderedAscending : number > 0 ? .orderedDescending : .orderedSame
  }
}

extension [NSSortDescriptor] {
  /// The order of two objects, by the first descriptor that distinguishes them.
  func compare(_ left: Any, _ right: Any) -> ComparisonResult {
    lazy.map { $0.compare(left, to: right) }.first { $0 != .orderedSame } ?? .orderedSame
  }
}
