// Where an observance is.

extension Observance {
  /// The observed object, when `object` changes; nil if the observed object is deallocated.
  @inline(__always)
  final func root(at object: KeyValueObject, _ info: ObservationInfo) -> KeyValueObservable? {
    isRegistered(with: info) ? object : tracker?.root
  }

  /// Makes the observance follow the objects that are on its path now.
  ///
  /// - Parameter readsEnd: Whether to read the value at the end.
  /// - Returns: The value, if it was read, and hasn't changed since.
  @discardableResult
  final func reroute(readsEnd: Bool = false) -> Reading? {
    guard !hasEnded, let tracker, !noteChangeWhileReading(), !leaveToDeferral(), let root = tracker.root else {
      return nil
    }
    let (reading, isOutdated) = tracker.follow(from: root, for: self, readsEnd: readsEnd)
    return isOutdated ? nil : reading
  }

  /// Whether a thread has brought the observance where it is: by registering it, or by following its path last.
  final func wasPlaced(by thread: ThreadIdentity) -> Bool {
    tracker?.wasFollowed(by: thread) ?? (self.thread == thread)
  }

  /// Whether the path is being read on this thread, by a getter that fills a cache for instance. The change is part of the read then,
  /// and the path is read once more afterwards.
  final func noteChangeWhileReading() -> Bool {
    ThreadFrame.first { frame in
      guard case .reading(ObjectIdentifier(self)) = frame.purpose else { return nil }
      frame.isStale = true
      return true
    } ?? false
  }

  /// Whether the options request values.
  final var needsValues: Bool { !options.isDisjoint(with: [.new, .old]) }

  /// Whether the value at the end of the path is currently that for `key` of the object with `info`.
  final func ends(at key: ObservedKey, _ info: ObservationInfo) -> Bool {
    guard tracker != nil else { return true }
    return info.entry(of: self, key).map { $0.role.isEnd && !$0.role.contains(.stale) } ?? false
  }

  /// See ``PathTracker/objectOnPathDied(_:for:traversal:)``.
  final func objectOnPathDied(_ info: ObservationInfo?, traversal: UInt64 = .max) {
    tracker?.objectOnPathDied(info, for: self, traversal: traversal)
  }

  /// Whether a change of `key` of the object with `info` currently affects the observance.
  final func passes(_ key: ObservedKey, _ info: ObservationInfo) -> Bool {
    tracker?.passes(key, info, for: self) ?? !hasEnded
  }
}
