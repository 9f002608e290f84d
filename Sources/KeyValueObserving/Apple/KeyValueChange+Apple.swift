#if canImport(ObjectiveC)
/// One notification from Foundation.
@usableFromInline
package struct KeyValueChange: ~Copyable {
  @usableFromInline package let object: NSObject
  package let path: ObservedPath
  package let dictionary: [NSKeyValueChangeKey: Any]
  fileprivate let isInitial: Bool

  fileprivate init(
    of path: ObservedPath, of object: NSObject, dictionary: [NSKeyValueChangeKey: Any], isInitial: Bool
  ) {
    self.isInitial = isInitial
    self.object = object
    self.path = path
    self.dictionary = dictionary
  }

  /// The key path as it was registered, or its name if that has become known.
  @usableFromInline package var keyPath: String { path.name(at: object) }

  /// The object, which the change retains.
  @usableFromInline package var borrowedObject: Unmanaged<NSObject> { .passUnretained(object) }

  @usableFromInline package var old: ChangedValue { ChangeDictionary(dictionary).old }

  @usableFromInline package var new: ChangedValue { ChangeDictionary(dictionary).new }

  @usableFromInline package var indexBox: Box<IndexSet>? { ChangeDictionary(dictionary).indexes }

  @usableFromInline package var attributes: ChangeAttributes {
    ChangeDictionary(dictionary).attributes(isInitial: isInitial)
  }
}

extension KeyValueChange {
  /// Calls `body` with the notification that a change dictionary describes.
  package static func lend(
    _ dictionary: [NSKeyValueChangeKey: Any], of path: ObservedPath, of object: NSObject,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    body(KeyValueChange(of: path, of: object, dictionary: dictionary, isInitial: false))
  }

  /// Calls `body` with the initial notification for a path. The value is read now if the options request it.
  package static func lendInitial(
    of path: ObservedPath, of object: NSObject, options: NSKeyValueObservingOptions,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
    if options.contains(.new) { dictionary[.newKey] = path.value(of: object) ?? NSNull() }
    body(KeyValueChange(of: path, of: object, dictionary: dictionary, isInitial: true))
  }
}

/// A notification that is stored for later delivery.
package struct StoredChange {
  private let object: NSObject
  private let path: ObservedPath
  private let dictionary: [NSKeyValueChangeKey: Any]
  private let isInitial: Bool

  package init(_ change: borrowing KeyValueChange) {
    object = change.object
    path = change.path
    dictionary = change.dictionary
    isInitial = change.isInitial
  }

  /// Calls `body` with the notification.
  package func lend(to body: (borrowing KeyValueChange) -> Void) {
    body(KeyValueChange(of: path, of: object, dictionary: dictionary, isInitial: isInitial))
  }
}
#endif
