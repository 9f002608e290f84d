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

  /// The value before the change; the outer nil says that it wasn't asked for.
  package var old: Any?? { value(.oldKey) }

  /// The value after the change; the outer nil says that it wasn't asked for.
  package var new: Any?? { value(.newKey) }

  package var indexes: IndexSet? { dictionary[.indexesKey] as? IndexSet }

  package var isPrior: Bool { dictionary[.notificationIsPriorKey] as? Bool ?? false }

  private func value(_ key: NSKeyValueChangeKey) -> Any?? {
    dictionary[key].map { $0 is NSNull ? nil : $0 }
  }
}
#endif
