#if !canImport(ObjectiveC)
/// Finds the dependencies of a path: every key of every object whose change affects the value at its end.
///
/// The observance is added to each key before its value is read. So a thread that replaces the value either does so
/// before it is read, or finds the observance there and makes it traverse the path again.
struct PathTraversal {
  /// The dependencies, in the order in which they were found. One that is read several times may occur several times.
  enum Result {
    /// Those of the previous traversal up to `end`, with differences in ascending order.
    case edits([Edit], end: Int)
    case all([PathTracker.Dependency])

    /// Replaces the dependencies of the previous traversal.
    func apply(to dependencies: inout [PathTracker.Dependency]) {
      switch self {
      case .all(let all):
        dependencies = all
      case .edits(let edits, let end):
        if end < dependencies.count { dependencies.removeSubrange(end...) }
        for edit in edits.reversed() { dependencies.replaceSubrange(edit.range, with: edit.replacement) }
      }
    }
  }

  /// A difference from the previous traversal: the dependencies in its range weren't found there, but others were.
  struct Edit {
    var range: Range<Int>
    var replacement: [PathTracker.Dependency] = []
  }

  /// The differences from the previous traversal, unless there are many.
  private var edits: [Edit] = []
  /// All dependencies that were found, once they differ from those of the previous traversal in many places.
  private var others: [PathTracker.Dependency]?
  /// The dependencies that the previous traversal found. The observance has been added to all of them.
  private let previous: [PathTracker.Dependency]
  /// The position of the previous dependency that is expected next. Usually little has changed between two traversals.
  private var next = 0
  /// The positions of previous dependencies that were expected, but not found in that place, other than in `edits`.
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

  /// Traverses a path.
  ///
  /// - Parameters:
  ///   - previous: The dependencies of the previous traversal. The observance isn't removed from them before this one has
  ///     finished.
  ///   - requiresKeys: Whether to read the last key if its class doesn't have it, so that it is reported.
  /// - Returns: The dependencies; and those of the previous traversal that this one hasn't found, or nil if there are
  ///   only a few in all.
  static func run(
    _ strategy: PathTracker.Strategy, from root: KeyValueObject, for observance: Observance,
    after previous: [PathTracker.Dependency], requiresKeys: Bool
  ) -> (Result, leftovers: [PathTracker.Dependency]?) {
    let traversal = PathTraversal(strategy, from: root, for: observance, after: previous, requiresKeys: requiresKeys)
    let result = traversal.others.map(Result.all) ?? .edits(traversal.edits, end: traversal.next)
    return (result, traversal.leftovers)
  }

  private init(
    _ strategy: PathTracker.Strategy, from root: KeyValueObject, for observance: Observance,
    after previous: [PathTracker.Dependency], requiresKeys: Bool
  ) {
    self.previous = previous
    self.observance = observance
    self.requiresKeys = requiresKeys
    if previous.isEmpty { others = [] }
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
    if !info.insert(observance, .waypoint, key), let index = laterIndex(of: info, key) {
      skip(to: index)
    } else {
      add(PathTracker.Dependency(info: info, borrowedKey: .passUnretained(key), role: .waypoint))
    }
  }

  /// The position of a previous dependency that is found later than expected; nil if it isn't one.
  ///
  /// All searches together take linear time, even if all dependencies come in another order.
  private mutating func laterIndex(of info: ObservationInfo, _ key: ObservedKey) -> Int? {
    for index in next..<max(next, previous.count) where searched < 4 * previous.count {
      if previous[index].isWaypoint(.passUnretained(info), .passUnretained(key)) { return index }
      searched += 1
    }
    return nil
  }

  /// Continues after the previous dependency at `index`, which was found.
  private mutating func skip(to index: Int) {
    if others != nil {
      others?.append(previous[index])
      skipped.append(next..<index)
    } else if let last = edits.last, last.range.upperBound == next {
      edits[edits.count - 1].range = last.range.lowerBound..<index
    } else {
      edits.append(Edit(range: next..<index))
    }
    next = index + 1
    if edits.count > Self.few { listAll() }
  }

  /// Adds a dependency that the previous traversal hasn't found in this place.
  private mutating func add(_ dependency: PathTracker.Dependency) {
    if others != nil {
      others?.append(dependency)
    } else if edits.last?.range.upperBound == next {
      edits[edits.count - 1].replacement.append(dependency)
    } else {
      edits.append(Edit(range: next..<next, replacement: [dependency]))
      if edits.count > Self.few { listAll() }
    }
  }

  /// Replaces the edits by all dependencies that were found so far.
  private mutating func listAll() {
    guard others == nil else { return }
    var all: [PathTracker.Dependency] = []
    all.reserveCapacity(previous.count)
    forEachFound { all += $0 }
    others = all
    skipped = edits.map(\.range)
    edits = []
  }

  /// Calls `body` with all dependencies that were found so far, in pieces.
  private func forEachFound(_ body: (ArraySlice<PathTracker.Dependency>) -> Void) {
    if let others { return body(others[...]) }
    var position = 0
    for edit in edits {
      body(previous[position..<edit.range.lowerBound])
      body(edit.replacement[...])
      position = edit.range.upperBound
    }
    body(previous[position..<next])
  }

  /// The dependencies of the previous traversal that this one hasn't found; nil if there are only a few in all.
  private var leftovers: [PathTracker.Dependency]? {
    guard max(others?.count ?? 0, previous.count) > Self.few else { return nil }
    let candidates = (edits.map(\.range) + skipped + [next..<previous.count]).joined()
    guard !candidates.isEmpty else { return [] }
    var places = Dictionary(candidates.map { (Place(previous[$0]), $0) }, uniquingKeysWith: { first, _ in first })
    // Usually there are a few, which a bit for each tells from most others without hashing.
    let bits = places.keys.reduce(0) { $0 | $1.bit }
    forEachFound { found in
      for dependency in found {
        let place = Place(dependency)
        if bits & place.bit != 0 { places[place] = nil }
      }
    }
    return places.values.map { previous[$0] }
  }

  /// Meets a key, and all that it depends on, unless it was met before.
  private mutating func visit(
    _ key: ObservedKey, of object: KeyValueObject, _ info: ObservationInfo, _ role: ObserverList.Entry.Role
  ) {
    listAll()
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
