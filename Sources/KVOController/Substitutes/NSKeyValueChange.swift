#if !canImport(ObjectiveC)
/// The kind of a change.
public enum NSKeyValueChange: UInt, Sendable {
  /// The value was set.
  case setting = 1
  /// Objects were inserted into a to-many property.
  case insertion
  /// Objects were removed from a to-many property.
  case removal
  /// Objects of a to-many property were replaced.
  case replacement
}
#endif
