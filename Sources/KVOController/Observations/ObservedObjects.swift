/// A controller's map table: the objects that it observes, by identity, each with its observations.
///
/// It is the same on all platforms, so that tests run what Apple platforms use. `NSMapTable` doesn't suffice there: with
/// weak keys it autoreleases the objects that it returns, and aborts for an object in its `deinit`.
///
/// Each observation retains its object, or holds it weakly. An object that isn't retained is removed, with its last
/// observation, before its memory is freed. So an address that is found here always belongs to the object that was
/// inserted.
///
/// Only addresses are used to find objects, because an object that isn't retained may be losing its last reference, and
/// retaining it here might make this the place that releases it.
///
/// Nothing here runs foreign code or releases an object that the caller doesn't retain. What is removed is returned, to
/// be unregistered and released after the lock that guards this is released.
struct ObservedObjects {
  /// The first object, which most controllers have no other than, and its observations.
  private var first: (address: ObjectIdentifier, infos: KVOInfoSet)?
  /// The observations of all other objects.
  private var others: [ObjectIdentifier: KVOInfoSet] = [:]

  /// How often all observations were removed.
  private(set) var endings = 0

  /// All observations, by object.
  var all: [KVOInfoSet] {
    (first.map { [$0.infos] } ?? []) + others.values
  }

  /// The observations of an object, which may be in its `deinit`, on this thread.
  subscript(object: KeyValueObservable) -> KVOInfoSet {
    let infos = self[ObjectIdentifier(object)]
    return infos.any?.isOfDeallocatedObject == true && !isInDeinit(object) ? .none : infos
  }

  /// The observations of the object at an address.
  private subscript(address: ObjectIdentifier) -> KVOInfoSet {
    if let first, first.address == address { return first.infos }
    return others.isEmpty ? .none : others[address] ?? .none
  }

  /// The observation of the object at an address, if there is only one, which has a name.
  private func only(at address: ObjectIdentifier) -> KVOInfo? {
    if let first, first.address == address { return first.infos.only }
    return others.isEmpty ? nil : others[address]?.only
  }

  // MARK: Inserting

  /// Observations that are to be inserted together, and what is known of them.
  struct Insertion {
    private(set) var infos: [KVOInfo]
    /// The observations that each was compared with, and that differ from it; none if there is nothing to compare.
    fileprivate var unequal: [[KVOInfo]] = []
    /// Whether the object's observations without a name have been named.
    var areOthersNamed = false

    init(_ infos: [KVOInfo]) {
      self.infos = infos
    }

    var isEmpty: Bool { infos.isEmpty }

    /// Compares each observation with the candidates for its index, and removes those that have an equal one.
    ///
    /// - Returns: The equal ones.
    mutating func compare(_ candidates: [Int: [KVOInfo]], _ areEqual: (KVOInfo, KVOInfo) -> Bool) -> [KVOInfo] {
      var equal: [KVOInfo] = []
      var different: (infos: [KVOInfo], unequal: [[KVOInfo]]) = ([], [])
      for (index, info) in infos.enumerated() {
        if let present = candidates[index]?.first(where: { areEqual($0, info) }) {
          equal.append(present)
        } else {
          different.infos.append(info)
          different.unequal.append(candidates[index] ?? differing(at: index))
        }
      }
      (infos, unequal) = different
      return equal
    }

    /// The observations that the one at an index was compared with.
    private func differing(at index: Int) -> [KVOInfo] { unequal.isEmpty ? [] : unequal[index] }

    fileprivate func differs(at index: Int, from candidates: [KVOInfo]) -> Bool {
      candidates.elementsEqual(differing(at: index), by: ===)
    }
  }

  enum Outcome {
    /// The observations were inserted; `isFirst` if these are the object's first.
    case inserted(isFirst: Bool)
    /// These may be equal to the ones at the indexes: compare their identifiers and paths, outside the lock.
    case compare([Int: [KVOInfo]])
    /// These may have the same key path: name them, outside the lock.
    case name(KVOInfoSet.Unnamed)
    /// These were removed, because they are of an object that was deallocated without a notification. Its address is
    /// that of another object now. End them outside the lock.
    case end([KVOInfo])
  }

  /// Inserts observations of an object, all or none.
  mutating func insert(_ insertion: inout Insertion, of object: KeyValueObservable, isRetained: Bool) -> Outcome {
    let address = ObjectIdentifier(object)
    let infos = self[address]
    guard let any = infos.any else {
      for info in insertion.infos { insert(info, of: object, address, isRetained: isRetained) }
      return .inserted(isFirst: true)
    }
    guard !any.isOfDeallocatedObject else {
      let all = infos.all
      _ = remove(all, at: address)
      return .end(all)
    }
    if !insertion.areOthersNamed, insertion.infos.contains(where: \.path.isNamed), let unnamed = infos.unnamed {
      return .name(unnamed)
    }
    var toCompare: [Int: [KVOInfo]] = [:]
    for (index, info) in insertion.infos.enumerated() {
      let candidates = infos.infos(info.path, identifierHash: info.identifier?.hash)
      if !insertion.differs(at: index, from: candidates) { toCompare[index] = candidates }
    }
    guard toCompare.isEmpty else { return .compare(toCompare) }
    for info in insertion.infos { insert(info, of: object, address, isRetained: isRetained) }
    return .inserted(isFirst: false)
  }

  private mutating func insert(
    _ info: KVOInfo, of object: KeyValueObservable, _ address: ObjectIdentifier, isRetained: Bool
  ) {
    info.owner = isRetained ? object : UnretainedObject(object)
    if first == nil, others.isEmpty || others[address] == nil {
      first = (address, KVOInfoSet(info))
    } else if first?.address == address {
      first?.infos.insert(info)
    } else {
      others[address, default: .none].insert(info)
    }
  }

  /// Renames an observation whose path has got a name.
  func rename(_ info: KVOInfo, to name: String) {
    if let address = info.address { self[address].rename(info, to: name) }
  }

  /// Notes that observations of an object have been asked for their names.
  func note(asked unnamed: KVOInfoSet.Unnamed, of object: KeyValueObservable) {
    self[ObjectIdentifier(object)].note(asked: unnamed)
  }

  // MARK: Removing

  /// Observations of one object that were removed, and whose registrations are to be removed.
  struct Removal {
    let infos: KVOInfos
    let isRetained: Bool
    /// Whether the object isn't observed any longer.
    let isLast: Bool
  }

  /// Removes the observations of an object that `choose` returns. The object may be in its `deinit`, on this thread.
  mutating func remove(of object: KeyValueObservable, _ choose: (KVOInfoSet) -> [KVOInfo]) -> Removal? {
    let infos = self[object]
    guard !infos.isEmpty else { return nil }
    return remove(choose(infos), at: ObjectIdentifier(object))
  }

  /// Removes the observation of a key path of an object, if it is the only one of the object, and has a name.
  mutating func removeOnly(_ keyPath: String, of object: KeyValueObservable) -> Removal? {
    let address = ObjectIdentifier(object)
    guard let only = only(at: address), only.keyPath == keyPath, !only.isOfDeallocatedObject || isInDeinit(object)
    else {
      return nil
    }
    return remove(only, at: address)
  }

  /// Removes an observation. Its object may be in its `deinit` on another thread, and is nil then.
  ///
  /// - Returns: nil if it isn't here, or if removing its registration requires the object, which is in its `deinit` on
  ///   another thread. That thread then removes the observation.
  mutating func remove(_ info: KVOInfo) -> (Removal, KeyValueObservable?)? {
    guard let address = info.address else { return nil }
    let object = info.existingObject
    guard object != nil || !info.usesContext else { return nil }
    return (remove(info, at: address), object)
  }

  /// Removes an observation whose object is in its `deinit` on this thread.
  mutating func removeOfDeallocatedObject(_ info: KVOInfo) -> Removal? {
    info.address.map { remove(info, at: $0) }
  }

  /// Removes all observations that ``remove(_:)`` can remove.
  ///
  /// - Returns: All observations with their objects, even those that remain.
  mutating func removeAll() -> [(Removal, KeyValueObservable?)] {
    endings += 1
    return all.compactMap { set in
      guard let any = set.any, let address = any.address else { return nil }
      let object = any.existingObject
      let infos = set.all
      guard object == nil, infos.contains(where: \.usesContext) else { return (remove(infos, at: address), object) }
      _ = remove(infos.filter { !$0.usesContext }, at: address)
      return (Removal(infos: .several(infos), isRetained: false, isLast: false), nil)
    }
  }

  private mutating func remove(_ info: KVOInfo, at address: ObjectIdentifier) -> Removal {
    let isRetained = take(info, at: address)
    return Removal(infos: .one(info), isRetained: isRetained, isLast: isEmpty(at: address))
  }

  private mutating func remove(_ infos: [KVOInfo], at address: ObjectIdentifier) -> Removal {
    var isRetained = false
    for info in infos { isRetained = take(info, at: address) }
    return Removal(infos: .several(infos), isRetained: isRetained, isLast: isEmpty(at: address))
  }

  private func isEmpty(at address: ObjectIdentifier) -> Bool {
    first?.address != address && (others.isEmpty || others[address] == nil)
  }

  /// Takes an observation out.
  ///
  /// - Returns: Whether it retained the object.
  private mutating func take(_ info: KVOInfo, at address: ObjectIdentifier) -> Bool {
    if first?.address == address {
      first?.infos.remove(info)
      if first?.infos.isEmpty == true { first = nil }
    } else {
      others[address]?.remove(info)
      if others[address]?.isEmpty == true { others[address] = nil }
    }
    let isRetained = info.isObjectRetained
    info.identifier?.list?.noteEnd()
    info.owner = nil
    return isRetained
  }
}

/// An object that its observation doesn't retain.
private final class UnretainedObject {
  let address: ObjectIdentifier
  private(set) weak var object: KeyValueObservable?

  init(_ object: KeyValueObservable) {
    address = ObjectIdentifier(object)
    self.object = object
  }
}

extension KVOInfo {
  /// The reference to the object, if the observation doesn't retain it.
  private var unretainedObject: UnretainedObject? { owner as? UnretainedObject }

  /// The object observed, unless its `deinit` has begun. Don't release it under a lock, because it might be the last
  /// reference.
  var existingObject: KeyValueObservable? {
    if let unretainedObject { return unretainedObject.object }
    return owner.map { unsafeDowncast($0, to: KeyValueObservable.self) }
  }

  /// The address of the object observed; nil if the observation doesn't belong to a controller, or no longer.
  fileprivate var address: ObjectIdentifier? {
    unretainedObject?.address ?? owner.map { ObjectIdentifier($0) }
  }

  /// Whether removing the registration requires the object.
  fileprivate var usesContext: Bool { receiver.registration != nil }

  fileprivate var isObjectRetained: Bool { owner != nil && unretainedObject == nil }

  /// Whether the object observed was deallocated, or its `deinit` has begun.
  fileprivate var isOfDeallocatedObject: Bool {
    unretainedObject.map { $0.object == nil } ?? false
  }
}
