import CKeyValueObserving

// The shorter way along plain paths, for the rows "replacing the child" of the budget. Each key of a plain path is an
// `@Observed` property that notifies automatically and depends on no other key, and all but the last hold objects that the
// engine observes. So following it runs no foreign code, and can be done with locks.

extension ObservedKey {
  /// Whether a plain path can lead through the key, or end there.
  func isPlainStep(isLast: Bool) -> Bool {
    guard isPlain, isIndependent, let field, !field.isZeroSized else { return false }
    return isLast || field.isObject
  }
}

extension Observance {
  /// Calls `store`, which replaces the object that is the value for the key at a place in `object`, and notifies the observer.
  ///
  /// - Returns: Whether it was done, which isn't possible if it takes a ``ChangeTransaction``.
  final func replaceOnPath(
    at place: UInt, of object: KeyValueObject, _ info: ObservationInfo, _ store: () -> Void
  ) -> Bool {
    guard isReceptive, let tracker, let root = root(at: object, info),
      let (old, new) = tracker.replaceOwnerOfEnd(at: place, of: info, for: self, store)
    else { return false }
    if let new {
      KeyValueChange.lend(to: self, of: root, .setting, old: old, new: options.contains(.new) ? new : .notRequested)
    } else {
      sendSetting(old: old, reroute(readsEnd: options.contains(.new)), of: root)
    }
    return true
  }
}

extension PathTracker {
  /// The end of a plain path: its last key, and the one whose value owns that. The tracker's lock guards it.
  final class PlainEnd {
    let waypoint: ObservedKey
    let waypointInfo: ObservationInfo
    let key: ObservedKey
    @exclusivity(unchecked) var info: ObservationInfo

    /// - Parameters:
    ///   - steps: The steps of a plain path, all of them unless one is nil.
    ///   - lastIndex: The index of the last key.
    /// - Returns: nil if the path doesn't lead to its end, or if it leads through one of the two before that as well. A weak
    ///   property doesn't keep the object that owns the last key, so that object must not be read without a reference.
    init?(of steps: [Dependency], lastIndex: Int) {
      guard lastIndex > 0, steps.count == lastIndex + 1,
        case .own(let waypointInfo, let waypoint) = steps[lastIndex - 1], waypoint.field?.isWeak == false,
        case .own(let info, let key) = steps[lastIndex],
        !steps[..<lastIndex].contains(where: { $0.isOf(key, info) }),
        !steps[..<(lastIndex - 1)].contains(where: { $0.isOf(waypoint, waypointInfo) })
      else { return nil }
      (self.waypointInfo, self.waypoint, self.info, self.key) = (waypointInfo, waypoint, info, key)
    }
  }

  /// Replaces the object that owns the last key of a plain path, and leads the path to the new one.
  ///
  /// It is a traversal with the lock, while no other one is under way, so two threads that replace the object take turns.
  ///
  /// - Returns: The values at the end before and after, if the options request them; nil, before anything is stored, if it
  ///   can't be done. The path has yet to be traversed if the new value is nil.
  func replaceOwnerOfEnd(
    at place: UInt, of info: ObservationInfo, for observance: Observance, _ store: () -> Void
  ) -> (old: ChangedValue, new: ChangedValue?)? {
    let (needsOld, needsNew) = (observance.options.contains(.old), observance.options.contains(.new))
    // Released after the locks.
    var next: KeyValueObject?
    var released: (ObservationInfo?, ObserverList.Removal?)
    let values = withLock { () -> (ChangedValue, ChangedValue?)? in
      guard let end = state.plainEnd, end.waypoint.place == place, end.waypointInfo === info,
        state.traversalsUnderWay == 0, !state.isOutdated,
        info.replaceObject(end.waypoint, onlyFor: observance, &next, store)
      else { return nil }
      let (former, key) = (end.info, end.key)
      let nextInfo = next?.observationInfoIfMade
      if let nextInfo, nextInfo === former {
        guard let value = former.withLock({ former.value(of: key) }) else { return (.null, nil) }
        return (needsOld ? value : .notRequested, needsNew ? value : .notRequested)
      }
      isFollowedByThisThread()
      let (old, removal) = former.withLock {
        (needsOld ? former.value(of: key) ?? .null : .notRequested, former.removeLocked(observance, key))
      }
      released = (former, removal)
      // Usually the new object is of the same class. The path must not lead through its property already.
      if let nextInfo, nextInfo.properties === former.properties,
        let new = nextInfo.withLock({ () -> ChangedValue? in
          guard nextInfo.list(at: key.place)?.entry(of: observance) == nil,
            nextInfo.insertLocked(observance, .endpoint, key, traversal: state.latestTraversal)
          else { return nil }
          return needsNew ? nextInfo.value(of: key) : .notRequested
        })
      {
        state.dependencies[path.lastIndex] = .own(nextInfo, key)
        end.info = nextInfo
        return (old, new)
      }
      state.dependencies.removeLast()
      state.plainEnd = nil
      return (old, next == nil ? (needsNew ? .null : .notRequested) : nil)
    }
    return withExtendedLifetime((next, released)) { values }
  }
}

extension ObservationInfo {
  /// Calls `store`, which replaces the object that a property holds, if the property affects no other observance.
  ///
  /// - Parameter object: Becomes the new object.
  /// - Returns: Whether it was done.
  fileprivate final func replaceObject(
    _ key: ObservedKey, onlyFor observance: Observance, _ object: inout KeyValueObject?, _ store: () -> Void
  ) -> Bool {
    withLock {
      // The setter has checked for exclusive access.
      guard list(at: key.place)?.onlyWaypoint === observance, let field = key.field, let address = storage(of: field)
      else {
        return false
      }
      store()
      count()
      object = field.object(at: address)
      return true
    }
  }

  /// The value of a property, under the lock; nil if it can't be read now.
  fileprivate final func value(of key: ObservedKey) -> ChangedValue? {
    guard let field = key.field, case .value(let value) = read(field) else { return nil }
    return ChangedValue(value)
  }
}
