#if !canImport(ObjectiveC)
/// What a change dictionary holds, and when notifications are sent.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the options, the same as on Apple platforms.
  public let rawValue: UInt

  /// Creates the options from their bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The change dictionary holds the value after the change, under ``NSKeyValueChangeKey/newKey``.
  public static let new = Self(rawValue: 1)
  /// The change dictionary holds the value before the change, under ``NSKeyValueChangeKey/oldKey``.
  public static let old = Self(rawValue: 2)
  /// One notification is sent at once, before `addObserver` returns.
  public static let initial = Self(rawValue: 4)
  /// A notification is also sent before each change, with ``NSKeyValueChangeKey/notificationIsPriorKey``.
  public static let prior = Self(rawValue: 8)
}
#endif
