// What a foreign object that is observed by name and context notifies, as a notification of the observance.

extension Observance {
  /// Calls `body` with the notification that a change dictionary describes.
  final func lend(
    _ dictionary: [NSKeyValueChangeKey: Any], of object: KeyValueObservable,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    let kind = (dictionary[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
    let isPrior = dictionary[.notificationIsPriorKey] as? Bool == true
    KeyValueChange.lend(
      to: self, of: object, ChangeAttributes(kind: kind, isPrior: isPrior), old: ChangedValue(in: dictionary, .oldKey),
      new: ChangedValue(in: dictionary, .newKey), indexes: dictionary[.indexesKey] as? IndexSet, body)
  }

  /// Calls `body` with the initial notification. The value is read now if the options request it.
  final func lendInitial(of object: KeyValueObservable, to body: (borrowing KeyValueChange) -> Void) {
    KeyValueChange.lend(
      to: self, of: object, .initial, new: options.contains(.new) ? codedValue(of: object) : .notRequested, body)
  }

  /// The value at the end of the path, by Key-Value Coding.
  final func codedValue(of object: KeyValueObservable) -> ChangedValue {
    ChangedValue(object.value(forKeyPath: path.name).flatMap(unwrapped))
  }
}

extension ChangedValue {
  /// The value that a change dictionary has for a key.
  init(in dictionary: [NSKeyValueChangeKey: Any], _ key: NSKeyValueChangeKey) {
    guard let value = dictionary[key] else {
      self = .notRequested
      return
    }
    self.init(value is NSNull ? nil : value)
  }
}

extension ObservedPath {
  /// Whether it leads only through foreign objects, from one of these.
  func leadsThroughForeignObjects(from root: KeyValueObservable) -> Bool {
    var value: Any = root
    for key in PathKey.names(of: name).dropLast() {
      if let object = pathObject(value) {
        guard let foreign = object.foreign else { return false }
        if foreign.registersPaths { return true }
      } else if key.hasPrefix("@") || !(value is any ObjectDictionary) {
        return true
      }
      guard let next = CodingReader.value(forKey: key, of: value) else { return true }
      value = next
    }
    return pathObject(value).map { $0.foreign != nil } ?? true
  }
}
