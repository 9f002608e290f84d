// How an observance handles changes of foreign objects: of those on its path, and of one observed by name and context.

extension Observance {
  final func waypoint(_ waypoint: ForeignWaypoint, notifies change: [NSKeyValueChangeKey: Any]) {
    guard !hasEnded, let root = tracker?.root else { return }
    let isPrior = change[.notificationIsPriorKey] as? Bool == true
    if waypoint.isEnd {
      passOn(change, isPrior: isPrior, at: waypoint, root)
    } else if isPrior {
      beginChange(at: waypoint, root)
    } else {
      endChange(at: waypoint, root)
    }
  }

  // The partner of a prior call is always sent.
  final func waypoint(_ waypoint: ForeignWaypoint, leavesChangeWith old: ChangedValue) {
    guard options.contains(.prior), let root = tracker?.root else { return }
    sendSetting(old: old, nil, of: root)
  }

  final func waypointObjectDied() { objectOnPathDied(nil) }

  /// Passes on a change of the last key.
  private final func passOn(
    _ change: [NSKeyValueChangeKey: Any], isPrior: Bool, at waypoint: ForeignWaypoint, _ root: KeyValueObservable
  ) {
    guard !isPrior || options.contains(.prior), isReceptive, !noteChangeWhileReading() else { return }
    if isPrior { waypoint.beginChange(old: ChangedValue(in: change, .oldKey)) } else { _ = waypoint.endChange() }
    lend(change, of: root) { send($0) }
  }

  private final func beginChange(at waypoint: ForeignWaypoint, _ root: KeyValueObservable) {
    guard isReceptive, !noteChangeWhileReading() else { return }
    var old = ChangedValue.notRequested
    if options.contains(.old), case .value(let value) = read(from: root) { old = ChangedValue(value) }
    waypoint.beginChange(old: old)
    guard options.contains(.prior) else { return }
    KeyValueChange.lend(to: self, of: root, ChangeAttributes(kind: .setting, isPrior: true), old: old)
  }

  private final func endChange(at waypoint: ForeignWaypoint, _ root: KeyValueObservable) {
    let old = waypoint.endChange()
    let reading = reroute(readsEnd: options.contains(.new))
    if let old { sendSetting(old: old, reading, of: root) }
  }
}

// MARK: By name and context

extension Observance {
  /// Calls `body` with the notification that a change dictionary describes.
  package final func lend(
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
  package final func lendInitial(of object: KeyValueObservable, to body: (borrowing KeyValueChange) -> Void) {
    KeyValueChange.lend(
      to: self, of: object, .initial, new: options.contains(.new) ? codedValue(of: object) : .notRequested, body)
  }

  /// The value at the end of the path, by Key-Value Coding.
  package final func codedValue(of object: KeyValueObservable) -> ChangedValue {
    ChangedValue(object.value(forKeyPath: path.name).flatMap(unwrapped))
  }
}

extension ChangedValue {
  /// The value that a change dictionary has for a key.
  fileprivate init(in dictionary: [NSKeyValueChangeKey: Any], _ key: NSKeyValueChangeKey) {
    guard let value = dictionary[key] else {
      self = .notRequested
      return
    }
    self.init(value is NSNull ? nil : value)
  }
}

extension ObservedPath {
  /// Whether it leads only through foreign objects, from one of these.
  package func leadsThroughForeignObjects(from root: KeyValueObservable) -> Bool {
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
