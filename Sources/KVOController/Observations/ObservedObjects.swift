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
  private enum Storage {
    case none
    /// The observations of one object, the usual case.
    case one(KVOInfoSet)
    case many([ObjectIdentifier: KVOInfoSet])
  }

  private var storage = Storage.none

  /// All observations, by object.
  var all: [KVOInfoSet] {
    switch storage {
    case .none: []
    case .one(let infos): [infos]
    case .many(let sets): Array(sets.values)
    }
  }

  /// The observations of an object, which may be in its `deinit`, on this thread.
  subscript(object: KeyValueObservable) -> KVOInfoSet {
    let infos = self[ObjectIdentifier(object)]
    return infos.isOfDeallocatedObject && !isInDeinit(object) ? .none : infos
  }

  /// The observations of the object at an address.
  private subscript(address: ObjectIdentifier) -> KVOInfoSet {
    get {
      switch storage {
      case .none: .none
      case .one(let infos): infos.any?.address == address ? infos : .none
      case .many(let sets): sets[address] ?? .none
      }
    }
    set {
      switch storage {
      case .none:
        storage = newValue.isEmpty ? .none : .one(newValue)
      case .one(let infos):
        let other = infos.any?.address
        if other == nil || other == address {
          storage = newValue.isEmpty ? .none : .one(newValue)
        } else if let other, !newValue.isEmpty {
          storage = .many([other: infos, address: newValue])
        }
      case .many(var sets):
        storage = .none
        sets[address] = newValue.isEmpty ? nil : newValue
        if !sets.isEmpty { storage = .many(sets) }
      }
    }
  }

  // MARK: Inserting

  enum Insertion {
    /// The observation was inserted; `isFirst` if it is the object's first.
    case inserted(isFirst: Bool)
    /// These may be equal to the observation: compare their identifiers, outside the lock.
    case compare([KVOInfo])
    /// These may have the same key path: name them, outside the lock.
    case name([KVOInfo])
    /// These were removed, because they are of an object that was deallocated without a notification. Its address is
    /// that of another object now. End them outside the lock.
    case end([KVOInfo])
  }

  /// Inserts an observation.
  ///
  /// - Parameters:
  ///   - unequal: The observations that it was compared with, and that differ from it.
  ///   - areNamed: Whether the observations without a name have been named.
  mutating func insert(
    _ info: KVOInfo, of object: KeyValueObservable, isRetained: Bool, unequal: [KVOInfo], areNamed: Bool
  ) -> Insertion {
    let infos = self[ObjectIdentifier(object)]
    guard !infos.isEmpty else {
      insert(info, of: object, isRetained: isRetained)
      return .inserted(isFirst: true)
    }
    guard !infos.isOfDeallocatedObject else {
      let all = infos.all
      _ = remove(.several(all), from: infos, at: ObjectIdentifier(object), nil)
      return .end(all)
    }
    let unnamed = areNamed ? [] : infos.unnamed
    guard unnamed.isEmpty else { return .name(unnamed) }
    let candidates = infos.infos(info.keyPath, identifierHash: info.identifier?.hash)
    guard candidates.elementsEqual(unequal, by: ===) else { return .compare(candidates) }
    insert(info, of: object, isRetained: isRetained)
    return .inserted(isFirst: false)
  }

  private mutating func insert(_ info: KVOInfo, of object: KeyValueObservable, isRetained: Bool) {
    info.owner = isRetained ? object : UnretainedObject(object)
    self[ObjectIdentifier(object)].insert(info)
  }

  /// Renames an observation whose path has got a name.
  func rename(_ info: KVOInfo, to name: String) {
    if let address = info.address { self[address].rename(info, to: name) }
  }

  // MARK: Removing

  /// Observations of one object that were removed, and whose registrations are to be removed.
  struct Removal {
    let infos: KVOInfos
    /// The object; nil if it is in its `deinit`.
    let object: KeyValueObservable?
    let isRetained: Bool
    /// Whether the object isn't observed any longer.
    let isLast: Bool
  }

  /// Removes the observations of an object that `choose` returns. The object may be in its `deinit`, on this thread.
  mutating func remove(of object: KeyValueObservable, _ choose: (KVOInfoSet) -> [KVOInfo]) -> Removal? {
    let infos = self[object]
    guard !infos.isEmpty else { return nil }
    return remove(.several(choose(infos)), from: infos, at: ObjectIdentifier(object), object)
  }

  /// Removes the observation of a key path of an object, if it is the only one of the object, and has a name.
  mutating func removeOnly(_ keyPath: String, of object: KeyValueObservable) -> Removal? {
    guard let info = self[object].only, info.keyPath == keyPath else { return nil }
    return remove(.one(info), from: .one(info), at: ObjectIdentifier(object), object)
  }

  /// Removes an observation. Returns nil if it isn't here, or if its object is in its `deinit` on another thread, which
  /// then removes the observation, because only that thread can rely on the object's existence.
  mutating func remove(_ info: KVOInfo) -> Removal? {
    guard let object = info.existingObject else { return nil }
    return remove(.one(info), from: self[object], at: ObjectIdentifier(object), object)
  }

  /// Removes an observation whose object is in its `deinit` on this thread.
  mutating func removeOfDeallocatedObject(_ info: KVOInfo) -> Removal? {
    guard let address = info.address else { return nil }
    return remove(.one(info), from: self[address], at: address, nil)
  }

  /// Removes all observations, except those of objects in their `deinit`, as ``remove(_:)`` does.
  ///
  /// - Returns: All observations; those that remain are returned without an object.
  mutating func removeAll() -> [Removal] {
    all.map { set in
      let infos = KVOInfos.several(set.all)
      guard let object = set.any?.existingObject else {
        return Removal(infos: infos, object: nil, isRetained: false, isLast: false)
      }
      return remove(infos, from: set, at: ObjectIdentifier(object), object)
    }
  }

  /// - Parameter object: The object; nil if it is in its `deinit` on this thread.
  private mutating func remove(
    _ infos: KVOInfos, from all: KVOInfoSet, at address: ObjectIdentifier, _ object: KeyValueObservable?
  ) -> Removal {
    var remaining = all
    let isRetained = infos.first?.isObjectRetained ?? false
    infos.forEach { remaining.remove($0) }
    self[address] = remaining
    infos.forEach { $0.owner = nil }
    return Removal(infos: infos, object: object, isRetained: isRetained, isLast: remaining.isEmpty)
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
  fileprivate enum Owner {
    case retained(KeyValueObservable)
    case unretained(UnretainedObject)
  }

  fileprivate var observed: Owner? {
    guard let owner else { return nil }
    if type(of: owner) == UnretainedObject.self {
      return .unretained(unsafeDowncast(owner, to: UnretainedObject.self))
    }
    return .retained(unsafeDowncast(owner, to: KeyValueObservable.self))
  }

  /// The object observed, unless its `deinit` has begun. Don't release it under a lock, because it might be the last
  /// reference.
  var existingObject: KeyValueObservable? {
    switch observed {
    case .retained(let object): object
    case .unretained(let reference): reference.object
    case nil: nil
    }
  }

  /// The address of the object observed; nil if the observation doesn't belong to a controller, or no longer.
  fileprivate var address: ObjectIdentifier? {
    switch observed {
    case .retained(let object): ObjectIdentifier(object)
    case .unretained(let reference): reference.address
    case nil: nil
    }
  }

  fileprivate var isObjectRetained: Bool { if case .retained = observed { true } else { false } }
}

extension KVOInfoSet {
  /// Whether the object observed was deallocated, or its `deinit` has begun.
  fileprivate var isOfDeallocatedObject: Bool {
    if case .unretained(let reference) = any?.observed { reference.object == nil } else { false }
  }
}
