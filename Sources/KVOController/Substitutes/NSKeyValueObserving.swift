#if !canImport(ObjectiveC)
/// Options for what a change dictionary contains, and when notifications are sent.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the options, the same as on Apple platforms.
  public var rawValue: UInt { UInt(bits) }

  // One byte, because each registration stores its options.
  private let bits: UInt8

  /// Creates options from their bits, the same as on Apple platforms.
  public init(rawValue: UInt) {
    bits = UInt8(truncatingIfNeeded: rawValue)
  }

  /// The change dictionary contains the value after the change, under ``NSKeyValueChangeKey/newKey``.
  public static let new = Self(rawValue: 1)
  /// The change dictionary contains the value before the change, under ``NSKeyValueChangeKey/oldKey``.
  public static let old = Self(rawValue: 2)
  /// One notification is sent immediately, before `addObserver` returns.
  public static let initial = Self(rawValue: 4)
  /// A notification is also sent before each change, with ``NSKeyValueChangeKey/notificationIsPriorKey``.
  public static let prior = Self(rawValue: 8)
}

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
