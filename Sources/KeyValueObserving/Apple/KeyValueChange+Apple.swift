#if canImport(ObjectiveC)
/// One notification, as Foundation gives it.
@usableFromInline
package struct KeyValueChange {
  @usableFromInline package let object: NSObject
  @usableFromInline package var keyPath: String
  package let dictionary: [NSKeyValueChangeKey: Any]

  package init(object: NSObject, keyPath: String, dictionary: [NSKeyValueChangeKey: Any]) {
    self.object = object
    self.keyPath = keyPath
    self.dictionary = dictionary
  }

  @usableFromInline package var kind: NSKeyValueChange {
    (dictionary[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
  }

  @usableFromInline package var old: ChangedValue { value(.oldKey) }

  @usableFromInline package var new: ChangedValue { value(.newKey) }

  @usableFromInline package var indexes: IndexSet? { dictionary[.indexesKey] as? IndexSet }

  @usableFromInline package var isPrior: Bool { dictionary[.notificationIsPriorKey] as? Bool ?? false }

  private func value(_ key: NSKeyValueChangeKey) -> ChangedValue {
    guard let value = dictionary[key] else { return .unasked }
    return value is NSNull ? .null : .value(value)
  }
}
#endif
