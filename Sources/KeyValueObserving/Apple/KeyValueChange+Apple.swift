#if canImport(ObjectiveC)
/// One notification, as Foundation gives it.
@usableFromInline
package struct KeyValueChange: ~Copyable {
  @usableFromInline package let object: NSObject
  package let path: ObservedPath
  package let dictionary: [NSKeyValueChangeKey: Any]

  package init(of path: ObservedPath, of object: NSObject, dictionary: [NSKeyValueChangeKey: Any]) {
    self.object = object
    self.path = path
    self.dictionary = dictionary
  }

  @usableFromInline package var keyPath: String { path.name }

  /// Runs `body` with the object.
  @inlinable
  package borrowing func withObject<Result>(_ body: (NSObject) -> Result) -> Result {
    body(object)
  }

  @usableFromInline package var kind: NSKeyValueChange {
    (dictionary[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
  }

  @usableFromInline package var old: ChangedValue { value(.oldKey) }

  @usableFromInline package var new: ChangedValue { value(.newKey) }

  @usableFromInline package var indexBox: IndexBox? { (dictionary[.indexesKey] as? IndexSet).map(IndexBox.init) }

  @usableFromInline package var isPrior: Bool { dictionary[.notificationIsPriorKey] as? Bool ?? false }

  private func value(_ key: NSKeyValueChangeKey) -> ChangedValue {
    guard let value = dictionary[key] else { return .unasked }
    return ChangedValue(value is NSNull ? nil : value)
  }
}

/// A notification that is kept for later.
package struct KeptChange {
  private let object: NSObject
  private let path: ObservedPath
  private let dictionary: [NSKeyValueChangeKey: Any]

  package init(_ change: borrowing KeyValueChange) {
    object = change.object
    path = change.path
    dictionary = change.dictionary
  }

  /// Lends the notification to `body`.
  package func lend(to body: (borrowing KeyValueChange) -> Void) {
    body(KeyValueChange(of: path, of: object, dictionary: dictionary))
  }
}
#endif
