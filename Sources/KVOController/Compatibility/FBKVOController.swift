// The names of the library that this one succeeds, for code that was written for it.

/// ``KVOController``, under its former name.
public typealias FBKVOController = KVOController

/// ``KVONotificationBlock``, under its former name.
public typealias FBKVONotificationBlock = KVONotificationBlock

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the key path in a change; see `NSKeyValueChangeKey.keyPathKey`.
public let FBKVONotificationKeyPathKey = NSKeyValueChangeKey.keyPathKey.rawValue
