// Notifications for observances whose object isn't observed by the engine, but by name and context.

extension Observance {
  /// Calls `body` with the notification that a change dictionary describes.
  package final func lend(
    _ dictionary: [NSKeyValueChangeKey: Any], of object: KeyValueObservable,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    let dictionary = ChangeDictionary(dictionary)
    withExtendedLifetime((path, object)) {
      KeyValueChange.lend(
        of: .passUnretained(object), to: .passUnretained(self), .passUnretained(path), dictionary.attributes(),
        old: dictionary.old, new: dictionary.new, indexes: dictionary.indexes, body)
    }
  }

  /// Calls `body` with the initial notification. The value is read now if the options request it.
  package final func lendInitial(of object: KeyValueObservable, to body: (borrowing KeyValueChange) -> Void) {
    withExtendedLifetime((path, object)) {
      KeyValueChange.lend(
        of: .passUnretained(object), to: .passUnretained(self), .passUnretained(path), .initial, old: .notRequested,
        new: options.contains(.new) ? codedValue(of: object) : .notRequested, indexes: nil, body)
    }
  }

  /// The value at the end of the path, by Key-Value Coding.
  package final func codedValue(of object: KeyValueObservable) -> ChangedValue {
    ChangedValue(object.value(forKeyPath: path.name).flatMap(unwrapped))
  }
}
