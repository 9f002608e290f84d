extension Observance {
  /// Reads the new value of a change once more, because another thread may have made a change since it was read.
  ///
  /// - Returns: nil if the change doesn't affect the observance any longer: it is notified of the other one, or when an
  ///   in-place mutation ends.
  final func newValue(of change: borrowing KeyValueChange) -> ChangedValue? {
    if let source = change.source {
      guard passes(source.key.takeUnretainedValue(), source.info.takeUnretainedValue()) else { return nil }
    }
    guard !hasEnded, let object = change.object else { return nil }
    return value(read(from: object), old: change.attributes.isInitial ? nil : change.old.kept)
  }

  /// The value that was read for a change; nil if the observance isn't to be notified now, because it has ended, or because another
  /// thread mutates the value in place, and notifies of it when it is there.
  ///
  /// - Parameter old: The old value of the change; nil if the initial value was read.
  final func value(_ reading: Reading, old: @autoclosure () -> ChangedValue?) -> ChangedValue? {
    switch reading {
    case .value(let value): return ChangedValue(value)
    case .deferred(let mutation):
      if let old = old() { mutation.join(self, old: old) } else { mutation.checkRead() }
      return nil
    case .ended: return nil
    }
  }

  /// The value at the end of the path at this moment; nil if the observance has ended, or if a property that has to be read
  /// is being mutated in place.
  final func currentValue(at root: KeyValueObservable) -> ChangedValue? {
    guard !hasEnded, case .value(let value) = read(from: root) else { return nil }
    return ChangedValue(value)
  }

  // MARK: Notifying

  /// Notifies the observer that the value at the end of the path was set.
  ///
  /// - Parameter reading: The new value; nil if it is to be read now, if the options request it.
  final func sendSetting(old: ChangedValue, _ reading: Reading?, of root: KeyValueObservable) {
    guard takesStoredChange else { return }
    var new = ChangedValue.notRequested
    if options.contains(.new) {
      guard let value = value(reading ?? read(from: root), old: old) else { return }
      new = value
    }
    KeyValueChange.lend(to: self, of: root, .setting, old: old, new: new)
  }

  /// Notifies the observer of the value at the beginning.
  final func sendInitial(of root: KeyValueObservable) {
    var new = ChangedValue.notRequested
    if options.contains(.new), !readsNewValue {
      guard let value = value(read(from: root), old: nil) else { return }
      new = value
    }
    KeyValueChange.lend(to: self, of: root, .initial, new: new)
  }
}
