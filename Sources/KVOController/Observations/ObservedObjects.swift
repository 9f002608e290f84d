/// An object that a controller observes, with its observations.
///
/// - Thread safety: The observations are guarded by the lock of the store to which this belongs.
final class ObservedObject {
  private let address: Unmanaged<KeyValueObservable>
  private let retained: KeyValueObservable?
  private weak let unretained: KeyValueObservable?
  fileprivate(set) var infos = KVOInfoSet()

  init(_ object: KeyValueObservable, isRetained: Bool) {
    address = .passUnretained(object)
    retained = isRetained ? object : nil
    unretained = isRetained ? nil : object
  }

  var isRetained: Bool { retained != nil }

  /// The object, unless its `deinit` has begun. It must not be released under a lock: that might be the last reference.
  var object: KeyValueObservable? { retained ?? unretained }

  fileprivate func isFor(_ object: KeyValueObservable) -> Bool {
    address.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
  }

  /// Runs `body` with the object, which may be in its `deinit`, but which the running thread knows to exist.
  fileprivate func withExistingObject(_ body: (KeyValueObservable) -> Void) {
    address._withUnsafeGuaranteedRef(body)
  }
}

/// The objects that a controller observes, by identity, each with its observations.
///
/// An object that isn't retained is removed, with its last observation, before its memory is freed. So an address that is
/// found here is always that of the object that was inserted.
///
/// Nothing here runs foreign code or releases what the caller doesn't hold: whatever is removed is returned, to be
/// unregistered and released after the lock that guards this.
struct ObservedObjects {
  /// The object, as long as there is only one, which is the usual case.
  private var only: ObservedObject?
  /// The other objects.
  private var others: ObservedObject.Table?

  var all: [ObservedObject] {
    let others = others.map(ObservedObject.all) ?? []
    return only.map { [$0] + others } ?? others
  }

  subscript(object: KeyValueObservable) -> ObservedObject? {
    if let only, only.isFor(object) { return only }
    return others?.object(forKey: object)
  }

  // MARK: Inserting

  enum Insertion {
    /// The observation is there now; `isFirst` if it is the object's first.
    case inserted(isFirst: Bool)
    /// These may be equal to the observation: compare their identifiers, which is foreign code.
    case compare([KVOInfo])
    /// These may be of the same key path: ask for their names, which is foreign code.
    case name([KVOInfo])
  }

  /// Inserts an observation.
  ///
  /// - Parameters:
  ///   - unequal: The observations with which it was compared and that are different.
  ///   - areNamed: Whether the observations without a name were asked for it.
  mutating func insert(
    _ info: KVOInfo, of object: KeyValueObservable, isRetained: Bool, unequal: [KVOInfo], areNamed: Bool
  ) -> Insertion {
    guard let observed = self[object] else {
      insert(info, into: addObject(object, isRetained: isRetained))
      return .inserted(isFirst: true)
    }
    let unnamed = areNamed ? [] : observed.infos.unnamed
    guard unnamed.isEmpty else { return .name(unnamed) }
    let candidates = observed.infos.infos(info.keyPath, identifierHash: info.identifier?.hash)
    guard candidates.elementsEqual(unequal, by: ===) else { return .compare(candidates) }
    insert(info, into: observed)
    return .inserted(isFirst: false)
  }

  private mutating func addObject(_ object: KeyValueObservable, isRetained: Bool) -> ObservedObject {
    let observed = ObservedObject(object, isRetained: isRetained)
    if only == nil {
      only = observed
    } else {
      let others = others ?? ObservedObject.table()
      others.setObject(observed, forKey: object)
      self.others = others
    }
    return observed
  }

  private func insert(_ info: KVOInfo, into observed: ObservedObject) {
    observed.infos.insert(info)
    info.observed = .passUnretained(observed)
  }

  /// Gives an observation the name that its path turned out to have.
  func rename(_ info: KVOInfo, to name: String) {
    info.observed?._withUnsafeGuaranteedRef { $0.infos.rename(info, to: name) }
  }

  // MARK: Removing

  /// Observations of one object that were removed; their registrations haven't been yet.
  struct Removal {
    let infos: [KVOInfo]
    /// The object; nil if it is in its `deinit`.
    let object: KeyValueObservable?
    /// What kept them.
    let observed: ObservedObject
    /// Whether the object isn't observed any more.
    let isLast: Bool
  }

  /// Removes those observations of an object that `choose` picks. The object may be in its `deinit`, on this thread.
  mutating func remove(of object: KeyValueObservable, _ choose: (KVOInfoSet) -> [KVOInfo]) -> Removal? {
    guard let observed = self[object] else { return nil }
    return remove(choose(observed.infos), from: observed, object)
  }

  /// Removes an observation, unless it isn't there, or its object is in its `deinit` on another thread: then only that
  /// thread knows that the object still exists, and removes the observation.
  mutating func remove(_ info: KVOInfo) -> Removal? {
    guard let observed = info.observed?.takeUnretainedValue(), let object = observed.object else { return nil }
    return remove([info], from: observed, object)
  }

  /// Removes an observation whose object is in its `deinit` on this thread.
  mutating func removeOfDeallocatedObject(_ info: KVOInfo) -> Removal? {
    guard let observed = info.observed?.takeUnretainedValue() else { return nil }
    return remove([info], from: observed, nil)
  }

  /// Removes all observations, but keeps those of objects that are in their `deinit`, of which see ``remove(_:)``.
  ///
  /// - Returns: All observations; those that are kept without an object.
  mutating func removeAll() -> [Removal] {
    all.map { observed in
      let infos = observed.infos.all
      guard let object = observed.object else {
        return Removal(infos: infos, object: nil, observed: observed, isLast: false)
      }
      return remove(infos, from: observed, object)
    }
  }

  /// - Parameter object: The object; nil if it is in its `deinit` on this thread.
  private mutating func remove(
    _ infos: [KVOInfo], from observed: ObservedObject, _ object: KeyValueObservable?
  ) -> Removal {
    for info in infos {
      observed.infos.remove(info)
      info.observed = nil
    }
    if observed.infos.isEmpty {
      if only === observed {
        only = nil
      } else {
        observed.withExistingObject { others?.removeObject(forKey: $0) }
      }
    }
    return Removal(infos: infos, object: object, observed: observed, isLast: observed.infos.isEmpty)
  }
}
