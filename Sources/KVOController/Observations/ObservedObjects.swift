/// An object that a controller observes, with its observations.
///
/// - Thread safety: The observations are guarded by the lock of the store to which this belongs.
final class ObservedObject {
  private let address: Unmanaged<KeyValueObservable>
  private let retained: KeyValueObservable?
  private weak let unretained: KeyValueObservable?
  @exclusivity(unchecked) fileprivate(set) var infos = KVOInfoSet()

  init(_ object: KeyValueObservable, isRetained: Bool) {
    address = .passUnretained(object)
    retained = isRetained ? object : nil
    unretained = isRetained ? nil : object
  }

  var isRetained: Bool { retained != nil }

  /// The object, unless its `deinit` has begun. Don't release it under a lock, because it might be the last reference.
  var object: KeyValueObservable? { retained ?? unretained }

  fileprivate func isFor(_ object: KeyValueObservable) -> Bool {
    address.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
  }

  /// Calls `body` with the object, which may be in its `deinit`. The caller ensures that it still exists.
  fileprivate func withExistingObject(_ body: (KeyValueObservable) -> Void) {
    address._withUnsafeGuaranteedRef(body)
  }
}

/// The objects that a controller observes, by identity, each with its observations.
///
/// An object that isn't retained is removed, with its last observation, before its memory is freed. So an address that
/// is found here always belongs to the object that was inserted.
///
/// Nothing here runs foreign code or releases an object that the caller doesn't retain. What is removed is returned, to
/// be unregistered and released after the lock that guards this is released.
struct ObservedObjects {
  /// The object, if there is only one, which is the usual case.
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
    /// The observation was inserted; `isFirst` if it is the object's first.
    case inserted(isFirst: Bool)
    /// These may be equal to the observation: compare their identifiers, outside the lock.
    case compare([KVOInfo])
    /// These may have the same key path: name them, outside the lock.
    case name([KVOInfo])
  }

  /// Inserts an observation.
  ///
  /// - Parameters:
  ///   - unequal: The observations that it was compared with, and that differ from it.
  ///   - areNamed: Whether the observations without a name have been named.
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

  /// Renames an observation whose path has got a name.
  func rename(_ info: KVOInfo, to name: String) {
    info.observed?._withUnsafeGuaranteedRef { $0.infos.rename(info, to: name) }
  }

  // MARK: Removing

  /// Observations of one object that were removed, and whose registrations are to be removed.
  struct Removal {
    let infos: [KVOInfo]
    /// The object; nil if it is in its `deinit`.
    let object: KeyValueObservable?
    /// The entry that contained them.
    let observed: ObservedObject
    /// Whether the object isn't observed any longer.
    let isLast: Bool
  }

  /// Removes the observations of an object that `choose` returns. The object may be in its `deinit`, on this thread.
  mutating func remove(of object: KeyValueObservable, _ choose: (KVOInfoSet) -> [KVOInfo]) -> Removal? {
    guard let observed = self[object] else { return nil }
    return remove(choose(observed.infos), from: observed, object)
  }

  /// Removes an observation. Returns nil if it isn't here, or if its object is in its `deinit` on another thread, which
  /// then removes the observation, because only that thread can rely on the object's existence.
  mutating func remove(_ info: KVOInfo) -> Removal? {
    guard let observed = info.observed?.takeUnretainedValue(), let object = observed.object else { return nil }
    return remove([info], from: observed, object)
  }

  /// Removes an observation whose object is in its `deinit` on this thread.
  mutating func removeOfDeallocatedObject(_ info: KVOInfo) -> Removal? {
    guard let observed = info.observed?.takeUnretainedValue() else { return nil }
    return remove([info], from: observed, nil)
  }

  /// Removes all observations, except those of objects in their `deinit`, as ``remove(_:)`` does.
  ///
  /// - Returns: All observations; those that remain are returned without an object.
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
