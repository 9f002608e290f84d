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
  private let list: ObserverList
  /// Whether the list is bound to the property.
  private let isBound: Bool
  private let version: UInt32
  private let observance: Unmanaged<Observance>
  private let tracker: Unmanaged<PathTracker>

  /// Replaces the property at an offset in `object`, and notifies the observer.
  ///
  /// - Parameters:
  ///   - child: The new value.
  ///   - store: Replaces the property, and ends the section. Keeps the former value until this method returns.
  /// - Returns: Whether that was done. If not, a ``ChangeTransaction`` is needed.
  static func replace(
    propertyAt offset: Int, of object: KeyValueObject, with child: Unmanaged<KeyValueObject>?,
    _ store: (StoringSection) -> Void
  ) -> Bool {
    guard !SuppressedObservances.areThere, !Evaluation.isUnderWay, let info = object.slot.borrowedInfo else {
      return false
    }
    defer { info._withUnsafeGuaranteedRef { $0.leave() } }
    let notification = PathNotification(propertyAt: offset, of: .passUnretained(object), info)
    return notification?.replace(with: child, store) ?? false
  }

  /// Enters the gate, in any case.
  private init?(propertyAt offset: Int, of object: Unmanaged<KeyValueObject>, _ info: Unmanaged<ObservationInfo>) {
    let (list, isBound) = info._withUnsafeGuaranteedRef { Self.enter(propertyAt: offset, $0) }
    let (observance, key, version) = (list?.onlyWaypoint, list?.borrowedKey, list?.currentVersion ?? 0)
    if isBound { list?.endStoring() } else { info._withUnsafeGuaranteedRef { $0.gate.endStoring() } }
    guard let list, let observance, let key,
      let tracker = observance._withUnsafeGuaranteedRef({ $0.isActive ? $0.borrowedRoute : nil })
    else { return nil }
    place = PathTracker.Place(object: object, info: info, key: key)
    (self.list, self.isBound, self.version) = (list, isBound, version)
    (self.observance, self.tracker) = (observance, tracker)
  }

  /// Begins to store and to deliver.
  ///
  /// - Returns: The list of the property's key, nil if it has none; and whether the list is bound to the property, so
  ///   that the gate doesn't count the setter among those who store.
  private static func enter(propertyAt offset: Int, _ info: ObservationInfo) -> (list: ObserverList?, isBound: Bool) {
    let list = info.firstList
    if _fastPath(list.binding.isUse(.transaction, ofPropertyAt: offset)) {
      list.beginStoring()
      // Until the gate is entered, the list may be used for another key.
      if info.gate.enterUncounted(), _fastPath(list.binding.isUse(.transaction, ofPropertyAt: offset)) {
        return (list, true)
      }
      list.endStoring()
      info.leave()
    }
    info.gate.enter()
    return (info.list(ofPropertyAt: offset), false)
  }

  private func replace(with child: Unmanaged<KeyValueObject>?, _ store: (StoringSection) -> Void) -> Bool {
    // Only values that fit are copied there, so no stack protector is needed.
    _withUnprotectedUnsafeTemporaryAllocation(byteCount: ValueCopy.size * 2, alignment: ValueCopy.alignment) { memory in
      observance._withUnsafeGuaranteedRef { observance in
        let memory = memory.baseAddress.unsafelyUnwrapped
        var old = ValueCopy(observance.options.contains(.old) ? memory : nil)
        var new = ValueCopy(observance.options.contains(.new) ? memory + ValueCopy.size : nil)
        defer {
          old.end()
          new.end()
        }
        return tracker._withUnsafeGuaranteedRef { tracker in
          tracker.move(observance, at: place, to: child, &old, &new) {
            begin(store)
          } _: { old, new in
            old.lend { old in
              new.lend { new in
                place.object._withUnsafeGuaranteedRef { observance.send(old, new, of: $0, place.info) }
              }
            }
          }
        }
      }
    }
  }

  /// Stores, unless others have registered meanwhile, who must be notified too, or have the lock.
  private func begin(_ store: (StoringSection) -> Void) -> Bool {
    guard let section = StoringSection(place.info, list, isBound: isBound, version: version) else { return false }
    store(section)
    return true
  }
}

extension PathTracker {
  /// A key of an object on a path, which leads to another object. Nothing is retained.
  struct Place {
    let object: Unmanaged<KeyValueObject>
    let info: Unmanaged<ObservationInfo>
    let key: Unmanaged<ObservedKey>

    /// The object that the property holds, for its setter.
    var child: Unmanaged<KeyValueObject>? {
      key._withUnsafeGuaranteedRef { $0.plainField }.flatMap { field in
        object._withUnsafeGuaranteedRef { object in field._withUnsafeGuaranteedRef { $0.objectInSetter(of: object) } }
      }
    }

    var childInfo: Unmanaged<ObservationInfo>? {
      child.flatMap { $0._withUnsafeGuaranteedRef { $0.slot.borrowedInfo } }
    }
  }

  /// What is at the end of a path.
  enum End {
    case object(Last)
    case null

    var last: Last? {
      guard case .object(let last) = self else { return nil }
      return last
    }
  }

  /// The last key of a path, of an object that is there. Nothing is retained.
  struct Last {
    let object: Unmanaged<KeyValueObject>
    let info: Unmanaged<ObservationInfo>
    let key: Unmanaged<ObservedKey>

    func isOfSameClass(as other: Last?) -> Bool {
      let keys = info._withUnsafeGuaranteedRef { $0.borrowedKeys.toOpaque() }
      return other.map { $0.info._withUnsafeGuaranteedRef { $0.borrowedKeys.toOpaque() } == keys } ?? true
    }

    var dependency: Dependency { Dependency(info: info.takeUnretainedValue(), borrowedKey: key, role: .endpoint) }
  }
}
#endif
