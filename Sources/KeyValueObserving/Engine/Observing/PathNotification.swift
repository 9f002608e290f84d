#if !canImport(ObjectiveC)
/// The notification of an observer of a path that the object before the end of the path was replaced, as `child` in
/// `child.number`.
///
/// Usually the keys are plain properties. Then no foreign code runs until the observer is called, so the path doesn't
/// have to be traversed again: the observance is moved from the former object to the new one, and the observer is lent
/// copies of the values at the end. Nothing is allocated. A ``ChangeTransaction`` does everything else.
///
/// It retains nothing: the caller retains the object, and the gate that it has entered retains the observance.
struct PathNotification {
  private let place: PathTracker.Place
  private let version: UInt32
  private let observance: Unmanaged<Observance>
  private let tracker: Unmanaged<PathTracker>
  private let end: PathTracker.End

  /// Replaces the property at `index` by calling `store`, which ends the section, and notifies the observer.
  ///
  /// - Returns: Whether that was done. If not, a ``ChangeTransaction`` is needed.
  static func replace(
    at index: Int, of object: KeyValueObject, _ info: Unmanaged<ObservationInfo>, _ store: (StoringSection) -> Void
  ) -> Bool {
    info._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      guard let list = info.list(at: index), let key = list.borrowedKey, let observance = list.onlyWaypoint,
        !SuppressedObservances.areThere, !Evaluation.isUnderWay
      else {
        info.leaveWithoutDelivery()
        return false
      }
      let version = list.currentVersion
      info.gate.endStoring()
      defer { info.leave() }
      let place = PathTracker.Place(object: .passUnretained(object), info: .passUnretained(info), key: key)
      guard let notification = PathNotification(of: observance, at: place, version) else { return false }
      if notification.replace(store) { return true }
      observance._withUnsafeGuaranteedRef { observance in
        notification.tracker._withUnsafeGuaranteedRef { $0.cancelMove(for: observance) }
      }
      return false
    }
  }

  private init?(of observance: Unmanaged<Observance>, at place: PathTracker.Place, _ version: UInt32) {
    guard let tracker = observance._withUnsafeGuaranteedRef({ $0.isActive ? $0.borrowedRoute : nil }),
      let end = tracker._withUnsafeGuaranteedRef({ $0.beginMove(after: place) })
    else { return nil }
    (self.place, self.version, self.observance, self.tracker, self.end) = (place, version, observance, tracker, end)
  }

  /// - Returns: Whether that was done; if not, nothing was.
  private func replace(_ store: (StoringSection) -> Void) -> Bool {
    // Retained until the end, because it owns the info at the former end.
    let former = place.child
    defer { withExtendedLifetime(former) {} }
    guard end.isAt(former) else { return false }
    guard observance._withUnsafeGuaranteedRef({ $0.options.contains(.old) }) else {
      return replace(store, .notRequested)
    }
    var isReplaced = false
    let isCopied = BorrowedValue.withCopy(of: end.last?.key, former) { isReplaced = replace(store, $0) }
    return isCopied && isReplaced
  }

  private func replace(_ store: (StoringSection) -> Void, _ old: BorrowedValue) -> Bool {
    // Who has registered meanwhile must be notified too.
    let index = place.key._withUnsafeGuaranteedRef { $0.index }
    guard let section = StoringSection(place.info, index: index, if: { $0?.currentVersion == version }) else {
      return false
    }
    store(section)
    notify(old)
    return true
  }

  private func notify(_ old: BorrowedValue) {
    let (hasMoved, child, key) = tracker._withUnsafeGuaranteedRef { tracker in
      observance._withUnsafeGuaranteedRef { tracker.endMove(of: end, after: place, for: $0) }
    }
    observance._withUnsafeGuaranteedRef { observance in
      guard hasMoved else {
        observance.reroute()
        return sendRead(old, to: observance)
      }
      guard observance.options.contains(.new) else { return send(old, .notRequested, to: observance) }
      let isSent = BorrowedValue.withCopy(of: key, child) { send(old, $0, to: observance) }
      if !isSent { sendRead(old, to: observance) }
    }
  }

  private func send(_ old: BorrowedValue, _ new: BorrowedValue, to observance: Observance) {
    place.object._withUnsafeGuaranteedRef { observance.send(old, new, of: $0, place.info) }
  }

  /// Notifies the observer of a value that is found by reading the path.
  private func sendRead(_ old: BorrowedValue, to observance: Observance) {
    // An observance whose path has left the object meanwhile has reported its new value already.
    guard observance.isActive, observance.passes(place.key.takeUnretainedValue(), place.info.takeUnretainedValue()),
      let root = place.root(of: observance)
    else { return }
    let new = observance.options.contains(.new) ? ChangedValue(observance.value(from: root)) : .notRequested
    withUnsafePointer(to: new) { send(old, BorrowedValue($0), to: observance) }
  }
}

extension PathTracker {
  /// A key of an object on a path, which leads to another object. Nothing is retained.
  struct Place {
    let object: Unmanaged<KeyValueObject>
    let info: Unmanaged<ObservationInfo>
    let key: Unmanaged<ObservedKey>

    /// The object that the property holds, for its setter.
    var child: KeyValueObject? {
      key._withUnsafeGuaranteedRef { $0.field }.flatMap { field in
        object._withUnsafeGuaranteedRef { field.objectInSetter(of: $0) }
      }
    }

    func root(of observance: Observance) -> KeyValueObject? {
      info._withUnsafeGuaranteedRef { info in object._withUnsafeGuaranteedRef { observance.root(at: $0, info) } }
    }
  }

  /// The last key of a path, of an object that is there. Nothing is retained.
  struct Last {
    let info: Unmanaged<ObservationInfo>
    let key: Unmanaged<ObservedKey>

    var dependency: Dependency { Dependency(info: info.takeUnretainedValue(), borrowedKey: key, role: .endpoint) }

    func insert(_ observance: Observance) {
      info._withUnsafeGuaranteedRef { info in
        _ = key._withUnsafeGuaranteedRef { info.insert(observance, .endpoint, $0) }
      }
    }

    /// The caller has the tracker's lock, and sweeps after it.
    func remove(_ observance: Observance) {
      info._withUnsafeGuaranteedRef { info in
        key._withUnsafeGuaranteedRef { info.removeObservance(observance.sequence, $0, sweeps: false) }
      }
    }
  }

  /// The end of a path.
  struct End {
    /// How many keys come before the last one.
    let index: Int
    /// The number of the move, among the traversals.
    let traversal: Int
    /// The last key, if its object is there.
    var last: Last?

    /// Whether `object` is the object that has the last key.
    func isAt(_ object: KeyValueObject?) -> Bool {
      guard let object, let last else { return object == nil && last == nil }
      return object.slot.borrowedInfo?.toOpaque() == last.info.toOpaque()
    }
  }
}

extension BorrowedValue {
  /// Calls `body` with a copy of the value of a property of `object`, which is null if there is no object.
  ///
  /// - Returns: Whether `body` was called, which isn't possible if the value is very large.
  static func withCopy(
    of key: Unmanaged<ObservedKey>?, _ object: KeyValueObject?, _ body: (BorrowedValue) -> Void
  ) -> Bool {
    guard let object, let borrowedField = key.flatMap({ $0._withUnsafeGuaranteedRef { $0.plainField } }) else {
      withUnsafePointer(to: ChangedValue.null) { body(BorrowedValue($0)) }
      return true
    }
    return borrowedField._withUnsafeGuaranteedRef { field in
      guard field.fits(size: 64, alignment: 16) else { return false }
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
        let copy = memory.baseAddress.unsafelyUnwrapped
        field.initialize(copy, from: object)
        body(BorrowedValue(address: copy, field: borrowedField))
        field.deinitialize(copy)
      }
      return true
    }
  }
}
#endif
