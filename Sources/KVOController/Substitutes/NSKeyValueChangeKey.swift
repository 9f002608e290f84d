#if !canImport(ObjectiveC)
/// A key of a change dictionary.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The key's name, the same as on Apple platforms.
  public let rawValue: String

  /// Creates a key with a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Hashes the length and the first byte of the name, which distinguish the few keys of a change.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(_rawHashValue(seed: 0))
  }

  /// The hash that a dictionary uses, which ignores the seed. No two keys of one change collide.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int {
    let first = Int(rawValue.utf8.first ?? 0)
    return (first ^ first >> 3) &+ rawValue.utf8.count
  }

  /// The kind of the change: an `NSNumber` with the raw value of an ``NSKeyValueChange``.
  public static let kindKey = Self(rawValue: "kind")
  /// The value after the change, with ``NSKeyValueObservingOptions/new``.
  public static let newKey = Self(rawValue: "new")
  /// The value before the change, with ``NSKeyValueObservingOptions/old``.
  public static let oldKey = Self(rawValue: "old")
  /// The `IndexSet` of the inserted, removed, or replaced objects of a to-many property.
  public static let indexesKey = Self(rawValue: "indexes")
  /// `true` in a notification sent before the change, with ``NSKeyValueObservingOptions/prior``; otherwise absent.
  public static let notificationIsPriorKey = Self(rawValue: "notificationIsPrior")
}

/// In a dictionary of `AnyHashable`, a key and its name are the same key, as on Apple platforms.
extension NSKeyValueChangeKey: _HasCustomAnyHashableRepresentation {
  /// The name, which a dictionary of `AnyHashable` stores in place of the key.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(rawValue) }
}
#endif
