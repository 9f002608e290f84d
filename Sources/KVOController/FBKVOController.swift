// FBKVOController's names, for code that was written for it.

/// ``KVOController``, under FBKVOController's name.
public typealias FBKVOController = KVOController

/// A block that a ``KVOController`` calls for a change, with the observer, the object, and the change.
///
/// `change` is Foundation's dictionary, which also contains the key path, under `NSKeyValueChangeKey.keyPathKey`.
public typealias FBKVONotificationBlock =
  (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the key path in a change; see `NSKeyValueChangeKey.keyPathKey`.
public let FBKVONotificationKeyPathKey = NSKeyValueChangeKey.keyPathKey.rawValue

extension NSKeyValueChangeKey {
  /// The key of the observed key path in the change that an ``FBKVONotificationBlock`` receives.
  public static let keyPathKey = Self(rawValue: "FBKVONotificationKeyPathKey")
}
