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
#endif
