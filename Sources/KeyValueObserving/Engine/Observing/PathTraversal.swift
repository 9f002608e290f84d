#if !canImport(ObjectiveC)
/// Finds the dependencies of a path: every key of every object whose change affects the value at its end.
///
/// The observance is added to each key before its value is read. So a thread that replaces the value either does so
/// before it is read, or finds the observance there and makes it traverse the path again.
struct PathTraversal {
  /// The dependencies that were found, once they differ from those of the previous traversal.
  private var others: [PathTracker.Dependency]?
  /// The dependencies that the previous traversal found. The observance has been added to all of them.
  private let previous: [PathTracker.Dependency]
  /// The position of the previous dependency that is expected next. Usually little has changed between two traversals.
  private var next = 0
  /// The positions of previous dependencies that were expected, but not found in that place.
  private var skipped: [Range<Int>] = []
  /// How many previous dependencies were searched for one that was found.
  private var searched = 0
  /// The positions of dependencies that were found by name, or that have dependencies, once there are many.
  private var places: [Place: Int] = [:]
  private let observance: Observance
  private let requiresKeys: Bool

  private struct Place: Hashable {
    let info: ObjectIdentifier
    let key: UnsafeRawPointer

    init(_ dependency: PathTracker.Dependency) {
      info = ObjectIdentifier(dependency.info)
      key = UnsafeRawPointer(dependency.borrowedKey.toOpaque())
    }

    /// One of 64 bits.
    var bit: UInt64 {
      let address = UInt(bitPattern: info) ^ UInt(bitPattern: key)
      return 1 << UInt64((address >> 4 ^ address >> 11) & 63)
    }
  }

  /// - Parameters:
  ///   - previous: The dependencies of the previous traversal. The observance isn't removed from them before this one has
  ///     finished.
  ///   - requiresKeys: Whether to read the last key if its class doesn't have it, so that it is reported.
  init(
    _ strategy: PathTracker.Strategy, from root: KeyValueObject, for observance: Observance,
    after previous: [PathTracker.Dependency], requiresKeys: Bool = false
  ) {
    self.previous = previous
    self.observance = observance
    self.requiresKeys = requiresKeys
    switch strategy {
    case .keys(let keys):
      follow(keys, from: root, .endpoint)
    case .reads(let read, let beginning):
      follow(beginning, from: root, .waypoint)
      // The object to which the known keys lead. Reading doesn't find it if only a weak property leads to it.
      let reached = beginning.isEmpty ? nil : ObservedPath.value(of: beginning, from: root).flatMap(keyValueObject)
      ReadTracker.track(root, also: reached, willRead: { visit($1.key, of: $0) }, read)
    }
  }

  /// Follows `keys`. The last one has the role `role`; the keys before it lead to it.
  private mutating func follow(_ keys: [HashedKey], from start: KeyValueObject, _ role: ObserverList.Entry.Role) {
    var object = start
    for (index, name) in keys.enumerated() {
      guard !name.isOperator else { return }
      let isLast = index == keys.count - 1
      guard let info = object.madeObservationInfo else { return }
      let key = info.keys.key(name)
      visit(key, of: object, info, isLast ? role : .waypoint)
      guard !isLast else {
        if requiresKeys, role == .endpoint, !key.isDefined { _ = key.value(of: object) }
        return
      }
      if let next = key.object(of: object) {
        guard let next else { return }
        object = next
      } else if let value = key.value(of: object) {
        guard let next = keyValueObject(value) else {
          return refuse(value, keys[(index + 1)...].map(\.text), at: name.text, of: object)
        }
        object = next
      } else {
        return
      }
    }
  }

  /// Adds a key that is read.
  private mutating func visit(_ key: ObservedKey, of object: KeyValueObject) {
    if next < previous.count, let info = object.slot.borrowedInfo,
      previous[next].isWaypoint(info, .passUnretained(key)), key.isIndependent
    {
      others?.append(previous[next])
      next += 1
      return
    }
    guard let info = object.madeObservationInfo else { return }
    guard key.isIndependent else { return visit(key, of: object, info, .waypoint) }
    diverge()
    others?.append(PathTracker.Dependency(info: info, borrowedKey: .passUnretained(key), role: .waypoint))
    if !info.insert(observance, .waypoint, key) { skip(to: info, key) }
  }

  /// Copies what was found so far, because something else follows than in the previous traversal.
  private mutating func diverge() {
    if others == nil { others = Array(previous[..<next]) }
  }

  /// Continues after a previous dependency that was found later than expected, if it is one.
  ///
  /// The whole search takes linear time, even if all dependencies come in another order.
  private mutating func skip(to info: ObservationInfo, _ key: ObservedKey) {
    var index = next
    while index < previous.count, searched < 4 * previous.count {
      if previous[index].isWaypoint(.passUnretained(info), .passUnretained(key)) {
        skipped.append(next..<index)
        next = index + 1
        return
      }
      index += 1
      searched += 1
    }
  }

  /// The dependencies, in the order in which they were found. One that is read several times may occur several times.
  var dependencies: [PathTracker.Dependency] {
    others ?? (next == previous.count ? previous : Array(previous[..<next]))
  }

  /// The dependencies of the previous traversal that this one hasn't found; nil if there are only a few in all.
  var leftovers: [PathTracker.Dependency]? {
    let found = dependencies
    guard max(found.count, previous.count) > Self.few else { return nil }
    let candidates = (skipped + [next..<previous.count]).joined()
    guard !candidates.isEmpty else { return [] }
    var places = Dictionary(candidates.map { (Place(previous[$0]), $0) }, uniquingKeysWith: { first, _ in first })
    // Usually there are a few, which a bit for each tells from most others without hashing.
    let bits = places.keys.reduce(0) { $0 | $1.bit }
    for dependency in found {
      let place = Place(dependency)
      if bits & place.bit != 0 { places[place] = nil }
    }
    return places.values.map { previous[$0] }
  }

  /// Meets a key, and all that it depends on, unless it was met before.
  private mutating func visit(
    _ key: ObservedKey, of object: KeyValueObject, _ info: ObservationInfo, _ role: ObserverList.Entry.Role
  ) {
    diverge()
    var dependency = PathTracker.Dependency(info: info, borrowedKey: .passUnretained(key), role: role)
    if let index = index(of: dependency), let former = others?[index] {
      guard !former.role.isSuperset(of: role) else { return }
      dependency.role.formUnion(former.role)
      others?[index] = dependency
    } else {
      append(dependency)
    }
    info.insert(observance, dependency.role, key)
    for affecting in key.affectingKeyPaths {
      follow(affecting, from: object, role.intersection(.waypoint))
    }
    for read in key.affectingReads {
      ReadTracker.track(
        object,
        willRead: {
          // An override may read the property that it overrides, whose key was added already.
          if $1.key !== key || $0 !== object { visit($1.key, of: $0) }
        }, read)
    }
  }

  private static let few = 8

  private func index(of dependency: PathTracker.Dependency) -> Int? {
    guard let others, others.count > Self.few else { return others?.firstIndex { $0.isSame(as: dependency) } }
    return places[Place(dependency)]
  }

  private mutating func append(_ dependency: PathTracker.Dependency) {
    others?.append(dependency)
    guard let others, others.count > Self.few else { return }
    if places.isEmpty {
      for (index, dependency) in others.enumerated() { places[Place(dependency)] = index }
    }
    places[Place(dependency)] = others.count - 1
  }

  private func refuse(_ value: Any, _ rest: [String], at key: String, of object: KeyValueObject) {
    guard value is any ObjectCollection, rest.first?.hasPrefix("@") == false else { return }
    let path = rest.joined(separator: ".")
    misuse(
      apple: "[<\(type(of: value))> addObserver:forKeyPath:options:context:] is not supported. Key path: \(path).",
      remedy: "Observe \"\(key)\" of <\(debugName(of: object))>, or \"\(path)\" of each element.")
  }
}
#endif
