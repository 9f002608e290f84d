#if !canImport(ObjectiveC)
/// The kind of a mutation of an unordered set.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added.
  case union = 1
  /// Objects are removed.
  case minus
  /// All objects but the given ones are removed.
  case intersect
  /// All objects are replaced.
  case set
}
#endif
