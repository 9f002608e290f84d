extension Observance {
  /// Reads the new value of a change once more, because another thread may have made a change since it was read.
  ///
  /// - Returns: nil if the change doesn't affect the observance any longer: it is notified of the other one, or when an
  ///   in-place mutation ends.
  package final func newValue(of change: borrowing KeyValueChange) -> ChangedValue? {
    if let source = change.source {
      guard passes(source.key.takeUnretainedValue(), source.info.takeUnretainedValue()) else { return nil }
    }
    guard !hasEnded, let object = change.object else { return nil }
    switch read(from: object) {
    case .value(let value): return ChangedValue(value)
    case .deferred(let mutation):
      // Another thread that mutates the value in place notifies of it when it is there.
      if change.attributes.isInitial { mutation.checkRead() } else { mutation.join(self, old: change.old.kept) }
      return nil
    case .ended: return nil
    }
  }

  /// The value at the end of the path at this moment; nil if the observance has ended, or if a property that has to be read
  /// is being mutated in place.
  package final func currentValue(at root: KeyValueObservable) -> ChangedValue? {
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
      switch reading ?? read(from: root) {
      case .value(let value): new = ChangedValue(value)
      case .deferred(let mutation): return mutation.join(self, old: old)
      case .ended: return
      }
    }
    KeyValueChange.lend(to: self, of: root, .setting, old: old, new: new)
  }

  /// Notifies the observer of the value at the beginning.
  final func sendInitial(of root: KeyValueObservable) {
    var new = ChangedValue.notRequested
    if options.contains(.new), !readsNewValue {
      switch read(from: root) {
      case .value(let value): new = ChangedValue(value)
      // Another thread mutates the value in place, and notifies the observance when it is there.
      case .deferred(let mutation): return mutation.checkRead()
      case .ended: return
      }
    }
    KeyValueChange.lend(to: self, of: root, .initial, new: new)
  }
}
