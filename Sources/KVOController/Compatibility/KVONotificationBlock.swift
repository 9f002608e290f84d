/// What a ``KVOController`` calls for a change: with the observer, the object, and the change.
///
/// `change` is Foundation's dictionary, which also holds the key path, under
/// `NSKeyValueChangeKey.keyPathKey`.
public typealias KVONotificationBlock =
  (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

extension NSKeyValueChangeKey {
  /// The key path that was observed, in the change that a ``KVONotificationBlock`` gets.
  public static let keyPathKey = Self(rawValue: "FBKVONotificationKeyPathKey")
}
