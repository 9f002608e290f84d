#if !canImport(ObjectiveC)
extension PropertyIdentity {
  /// The name of the property in a class, by which Foundation observes it; nil if there is none.
  func foundationName(in type: AnyClass) -> String? { nil }
}

extension ObservedKey {
  /// Whether Foundation observes keys that a ``KeyValueObject`` doesn't declare.
  static var areUndeclaredOfFoundation: Bool { false }
}
#endif
