#if !canImport(ObjectiveC)
/// Finds properties of Foundation's by what Swift key paths hold of them. There are none.
enum PropertyOfFoundation {
  /// Whether Foundation observes keys that a ``KeyValueObject`` doesn't declare.
  static var areUndeclaredKeysObserved: Bool { false }

  static func name(_ identity: PropertyIdentity, in type: AnyClass) -> String? { nil }
}
#endif
