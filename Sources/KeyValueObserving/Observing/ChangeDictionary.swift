/// A change dictionary, with its entries as a notification has them.
struct ChangeDictionary {
  let entries: [NSKeyValueChangeKey: Any]

  init(_ entries: [NSKeyValueChangeKey: Any]) {
    self.entries = entries
  }

  func attributes(isInitial: Bool = false) -> ChangeAttributes {
    ChangeAttributes(kind: kind, isPrior: isPrior, isInitial: isInitial)
  }

  private var kind: NSKeyValueChange { (entries[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting }

  var old: ChangedValue { value(.oldKey) }

  var new: ChangedValue { value(.newKey) }

  var indexes: IndexSet? { entries[.indexesKey] as? IndexSet }

  private var isPrior: Bool { entries[.notificationIsPriorKey] as? Bool ?? false }

  private func value(_ key: NSKeyValueChangeKey) -> ChangedValue {
    guard let value = entries[key] else { return .notRequested }
    return ChangedValue(value is NSNull ? nil : value)
  }
}
