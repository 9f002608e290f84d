#if canImport(ObjectiveC)
/// One notification, as Foundation gives it.
package struct KeyValueChange {
  package let object: NSObject
  package let keyPath: String
  package let dictionary: [NSKeyValueChangeKey: Any]

  package init(object: NSObject, keyPath: String, dictionary: [NSKeyValueChangeKey: Any]) {
    self.object = object
    self.keyPath = keyPath
    self.dictionary = dictionary
  }

  package var kind: NSKeyValueChange {
    (dictionary[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
  }

  package var old: ChangedValue { value(.oldKey) }

  package var new: ChangedValue { value(.newKey) }

  package var indexes: IndexSet? { dictionary[.indexesKey] as? IndexSet }

  package var isPrior: Bool { dictionary[.notificationIsPriorKey] as? Bool ?? false }

  private func value(_ key: NSKeyValueChangeKey) -> ChangedValue {
    guard let value = dictionary[key] else { return .unasked }
    return value is NSNull ? .null : .value(value)
  }
}
#endif
