/// What a proxy was made with, which only its own initializer gives it.
func made<Part>(_ part: Part?) -> Part {
  guard let part else { refuseCreation() }
  return part
}

/// Stops the process because somebody creates a proxy in a way in which Foundation's collections are created.
func refuseCreation() -> Never {
  misuse(
    "Cannot create a mutable view of a to-many property", because: "only KeyValueObject creates them",
    remedy: "Create one of Foundation's collections, or use mutableArrayValue(forKey:) and its like.")
}

extension ComparisonResult {
  /// What a comparison function's number means.
  init(_ number: Int) {
    self = number < 0 ? .orderedAscending : number > 0 ? .orderedDescending : .orderedSame
  }
}

extension [NSSortDescriptor] {
  /// How two objects are ordered: by the first descriptor that tells them apart.
  func compare(_ left: Any, _ right: Any) -> ComparisonResult {
    lazy.map { $0.compare(left, to: right) }.first { $0 != .orderedSame } ?? .orderedSame
  }
}
