/// Reads the value at the end of a path, and inserts the observance wherever a change affects that value: into the list
/// of a key before the key's value is read. So a thread that replaces the value either does so before it is read, or
/// finds the observance there and makes it traverse the path again.
final class PathTraversal {
  private let observance: Observance
  /// The number of the traversal; nil if the value is only read.
  private let number: UInt64?
  private let pathRequiresKeys: Bool
  private let readsEnd: Bool
  /// The paths of a list to read; nil for all of them.
  private let paths: [ObservedPath]?

  // Only one thread uses these, and no access lasts while foreign code runs.

  @exclusivity(unchecked) private var dependencies: [PathTracker.Dependency] = []
  /// The paths that each key affects, if it is a list whose values are read.
  @exclusivity(unchecked) private(set) var listed = PathTracker.ListedPaths()
  @exclusivity(unchecked) private var listedPath: ObservedPath?
  /// What the traversal before has found, as long as this one finds the same. Then it inserts nothing, because the observance is there.
  @exclusivity(unchecked) private var known: PathTracker.Findings?
  @exclusivity(unchecked) private var knownMarks: [PathTracker.Mark] = []
  /// How much of it was found again.
  @exclusivity(unchecked) private var knownCount = 0
  /// Whether the observance couldn't be inserted into what was known, because an object has died, or a later traversal was there.
  @exclusivity(unchecked) private(set) var hasLost = false
  /// Whether a getter has read a property.
  @exclusivity(unchecked) private var hasRead = false
  /// Whether a getter has changed what affects the observance.
  @exclusivity(unchecked) private(set) var isStale = false
  /// Whether what was found are the steps of a plain path, in order.
  @exclusivity(unchecked) private(set) var isPlain = true
  /// Keys on which those that were visited depend, yet to be followed. A chain of them doesn't take the stack.
  @exclusivity(unchecked) private var pending:
    [(keys: [PathKey], object: KeyValueObject, role: ObserverList.Role, dependent: ObservedKey)] = []
  /// The key whose dependencies are being followed. The last key of such a path may be one that is notified by hand.
  @exclusivity(unchecked) private var dependentKey: ObservedKey?
  /// The place of the listed key whose getter is followed, the innermost one; -1 if there is none.
  @exclusivity(unchecked) private var reader: Int32 = -1
  /// Why the value couldn't be read, if so.
  @exclusivity(unchecked) private var interruption: Reading?

  private var requiresKeys: Bool { pathRequiresKeys && dependentKey == nil }

  /// - Parameters:
  ///   - known: What the traversal before has found, if it is to be compared.
  ///   - requiresKeys: Whether to read the last key if its class doesn't have it, so that it is reported.
  ///   - readsEnd: Whether to read the value of the last key.
  ///   - paths: The paths of a list to read; nil for all of them.
  init(
    of observance: Observance, _ number: UInt64?, knowing known: PathTracker.Findings? = nil, requiresKeys: Bool,
    readsEnd: Bool, paths: [ObservedPath]? = nil
  ) {
    self.paths = paths
    self.observance = observance
    self.number = number
    self.known = known
    knownMarks = known?.marks ?? []
    pathRequiresKeys = requiresKeys
    self.readsEnd = readsEnd
  }

  /// - Returns: The value at the end; for a list, all values, if they are read.
  func run(_ path: ObservedPath, from root: KeyValueObservable) -> Reading {
    var value: Any?
    if let keys = path.keys {
      value = follow(keys[...], from: root, .endpoint, readsEnd: readsEnd)
    } else if let list = path.list {
      let paths = paths ?? list.paths
      let values = paths.map { path in
        if observance.wantsNew { listedPath = path }
        return run(path, from: root).value
      }
      listedPath = nil
      if readsEnd { value = ListedValues(values, of: paths) }
      isPlain = false
    } else if let followed = path.followed {
      isPlain = false
      // Reading doesn't find keys that the class lists, or that Foundation observes.
      if number != nil {
        _ = follow(followed.keysBesidesReads[...], from: root, .waypoint, readsEnd: false)
        followPending()
      }
      value = track(root, followed.read)
    }
    if !pending.isEmpty { followPending() }
    return interruption ?? .value(value)
  }

  /// Follows `keys`. The last one has the role `role`; the keys before it lead to it.
  private func follow(
    _ keys: ArraySlice<PathKey>, from start: KeyValueObservable, _ role: ObserverList.Role, readsEnd: Bool
  ) -> Any? {
    var object = start
    for index in keys.indices {
      let isLast = index == keys.endIndex - 1
      let value: Any?
      switch step(keys[index], of: object) {
      case .none: return nil
      case .foreign:
        isPlain = false
        if !isLast, object.foreign?.registersPaths == true {
          let rest = keys[index...].map(\.text).joined(separator: ".")
          return readForeign(rest, of: object, role, readsValue: readsEnd)
        }
        // Foundation reports a key that one of the engine's classes doesn't have only when it is read.
        let mustExist = requiresKeys && object.own != nil
        value = readForeign(
          keys[index].text, of: object, isLast ? role : .waypoint, readsValue: !isLast || readsEnd || mustExist)
        if !isLast, number != nil, value == nil { noticeDots(in: keys[index...], of: object) }
      case .property(let property, let object):
        isPlain = false
        let hadRead = hasRead
        hasRead = false
        value = track(object) { _ in property.value(object) }
        defer { hasRead = hadRead || hasRead }
        if number != nil, !hasRead, !observance.hasEnded {
          DebugNotice.send(aboutOverride: keys[index].text, of: type(of: object), at: DebugNotice.site.get())
        }
      case .key(let key, let object, let info):
        isPlain = isPlain && key.isPlainStep(isLast: isLast)
        let place = visit(key, of: object, info, isLast ? role : .waypoint)
        if isLast, let dependentKey, !key.isDefined { notice(key, of: object, affecting: dependentKey) }
        if let place {
          value = readFollowed(key, of: object, at: place)
          break
        }
        if isLast, !readsEnd, !requiresKeys || key.isDefined { return nil }
        if !pending.isEmpty { followPending() }
        switch key.field == nil ? foreign({ object.read(key) }) : object.read(key) {
        case .value(let read): value = read
        case let other:
          interruption = interruption ?? other
          value = nil
        }
      }
      guard !isLast, interruption == nil else { return value }
      guard let value else { return nil }
      guard let next = pathObject(value) else {
        return followBeyondObjects(
          keys[(index + 1)...], from: value, at: keys[index], of: object, role, readsEnd: readsEnd)
      }
      object = next
    }
    return start
  }

  /// The meaning of a key of a path in an object.
  private enum Step {
    /// Nothing, because the object's `deinit` has begun.
    case none
    case foreign
    case property(OpenedKeyPath, KeyValueObject)
    case key(ObservedKey, KeyValueObject, ObservationInfo)
  }

  private func step(_ key: PathKey, of object: KeyValueObservable) -> Step {
    guard let own = object.own else { return .foreign }
    guard let info = own.madeObservationInfo else { return .none }
    switch info.properties.meaning(of: key) {
    case .property(let property): return .property(property, own)
    case .key(let key): return key.isOfFoundation ? .foreign : .key(key, own, info)
    }
  }

  /// Registers for a key that Foundation observes, and reads its value.
  private func readForeign(
    _ key: String, of object: KeyValueObservable, _ role: ObserverList.Role, readsValue: Bool
  ) -> Any? {
    // An object may be on the path twice. A change of a key that leads on means more than one of the last key.
    if let number, let tracker = observance.tracker, !isInDeinit(object),
      !dependencies.contains(where: { $0.isOf(key, object) })
    {
      if known != nil { insertKnown(number) }
      let (waypoint, isNew) = tracker.waypoint(
        key, of: object, isEnd: role.isEnd && object.foreign?.omitsValues != true, isRoot: tracker.root === object,
        for: observance, traversal: number)
      dependencies.append(.foreign(waypoint))
      if isNew { foreign { waypoint.begin() } }
    }
    guard readsValue else { return nil }
    return foreign { object.value(forKeyPath: key).flatMap(unwrapped) }
  }

  /// Tells the developer that names with dots can't be observed, of an object that takes them for keys.
  private func noticeDots(in keys: ArraySlice<PathKey>, of object: KeyValueObservable) {
    #if DEBUG
    guard object.foreign?.hasKeysWithDots == true else { return }
    let name = keys.map(\.text).joined(separator: ".")
    DebugNotice.send(about: "\(type(of: object)).\(name)") {
      "Changes of the key \"\(name)\" of <\(debugName(of: object))> aren't notified, because a dot separates keys. "
        + "Use a key without dots, or observe UserDefaults.didChangeNotification."
    }
    #endif
  }

  /// Tells the developer that a key that affects another one has no value, so that a misspelled one is found.
  private func notice(_ key: ObservedKey, of object: KeyValueObject, affecting dependent: ObservedKey) {
    DebugNotice.send(about: "\(type(of: object)).\(key.name)", at: DebugNotice.site.get()) {
      "The key \"\(key.name)\" of <\(debugName(of: object))>, which affects \"\(dependent.name)\", is neither @Observed nor listed "
        + "in keyPaths, so only willChangeValue(forKey:) and didChangeValue(forKey:) notify of it. If it is misspelled, correct it "
        + "in keyPathsForValuesAffectingValue(forKey:)."
    }
  }

  /// Inserts the observance into the list of a key. Call ``followPending()`` before the key's value is read.
  ///
  /// - Returns: Its place among what is found, if it is then to be read by ``readFollowed(_:of:at:)``.
  private func visit(
    _ key: ObservedKey, of object: KeyValueObject, _ info: ObservationInfo, _ role: ObserverList.Role
  ) -> Int32? {
    let role = key.isAffectedByReading ? role.union(.reading) : role
    guard let number else { return nil }
    let isNew = find(key, info, role, number)
    guard listedPath.map({ listed.insert($0, key, info) }) ?? isNew else {
      isPlain = false
      return nil
    }
    let place = isNew ? Int32(truncatingIfNeeded: (known == nil ? dependencies.count : knownCount) - 1) : reader
    for affecting in key.affectingKeyPaths.reversed() {
      pending.append((affecting, object, role.intersection(.waypoint), key))
    }
    if let read = key.affectingRead { _ = track(object, except: key) { _ in read(object) } }
    return key.isFollowedByName ? place : nil
  }

  /// Reads a key whose getter is followed.
  private func readFollowed(_ key: ObservedKey, of object: KeyValueObject, at place: Int32) -> Any? {
    followPending()
    let outer = reader
    reader = place
    defer { reader = outer }
    return track(object, except: key) { _ in object.value(forKey: key.name).flatMap(unwrapped) }
  }

  /// Inserts the observance into the list of a key, unless this traversal or, in the same order, the one before has.
  ///
  /// - Returns: Whether this traversal finds the key in that role for the first time.
  private func find(
    _ key: ObservedKey, _ info: ObservationInfo, _ role: ObserverList.Role, _ number: UInt64
  ) -> Bool {
    if let known {
      if findAgain(PathTracker.Mark(info, key, role, reader: reader)) { return true }
      if let entry = info.entry(of: observance, key), entry.traversal == known.traversal,
        entry.position < knownCount, entry.role.isSuperset(of: role)
      {
        return false
      }
      insertKnown(number)
    }
    guard info.insert(observance, role, key, traversal: number, position: dependencies.count) else { return false }
    dependencies.append(.own(info, key, role, reader: reader))
    return true
  }

  /// Whether that is what the traversal before has found next.
  private func findAgain(_ mark: @autoclosure () -> PathTracker.Mark) -> Bool {
    guard knownCount < knownMarks.count, knownMarks[knownCount] == mark() else { return false }
    knownCount += 1
    return true
  }

  /// Inserts the observance, under the number of this traversal, into what was found again, when something else is found. It was there
  /// when that was read, so that isn't read again.
  private func insertKnown(_ number: UInt64) {
    guard let found = known?.dependencies.prefix(knownCount) else { return }
    (known, knownMarks) = (nil, [])
    for case .own(let info, let key, let role, let reader) in found {
      let isInserted = info.insert(observance, role, key, traversal: number, position: dependencies.count)
      if !isInserted { hasLost = true }
      dependencies.append(.own(info, key, role, reader: reader))
    }
  }

  /// What was found; nil if it is what was known.
  func takeFindings() -> [PathTracker.Dependency]? {
    if let number, knownCount < knownMarks.count { insertKnown(number) }
    return known == nil ? dependencies : nil
  }

  private func followPending() {
    let outer = dependentKey
    while let (keys, object, role, dependent) = pending.popLast() {
      dependentKey = dependent
      _ = follow(keys[...], from: object, role, readsEnd: false)
    }
    dependentKey = outer
  }

  // MARK: Foreign code

  /// Reads from `object`, and records the properties that are read. Each affects the observance, as `key` does anyway.
  private func track(
    _ object: KeyValueObservable, except key: ObservedKey? = nil, _ read: (KeyValueObservable) -> Any?
  ) -> Any? {
    foreign {
      guard number != nil else { return read(object) }
      return ReadTracker.track { other, otherKey in
        guard otherKey !== key || other !== object else { return }
        hasRead = true
        // The usual case, in which nothing else is to be done.
        if otherKey.isIndependent, pending.isEmpty, let info = other.borrowedObservationInfo,
          findAgain(info._withUnsafeGuaranteedRef { PathTracker.Mark($0, otherKey, .waypoint, reader: reader) })
        {
          return
        }
        guard let info = other.madeObservationInfo else { return }
        if let place = visit(otherKey, of: other, info, .waypoint) {
          _ = readFollowed(otherKey, of: other, at: place)
        }
        if !pending.isEmpty { followPending() }
      } _: {
        read(object)
      }
    }
  }

  /// Calls `body`, which runs foreign code. Changes that it makes don't notify the observance.
  private func foreign<Result>(_ body: () -> Result) -> Result {
    let (result, isStale) = ThreadFrame.run(.reading(ObjectIdentifier(observance)), body)
    if isStale, !observance.noteChangeWhileReading() { self.isStale = true }
    return result
  }

  /// Follows the last keys of a path from a value that isn't an object: a path leads on from the objects in dictionaries.
  private func followBeyondObjects(
    _ keys: ArraySlice<PathKey>, from value: Any, at key: PathKey, of object: KeyValueObservable,
    _ role: ObserverList.Role, readsEnd: Bool
  ) -> Any? {
    func isCollection(_ value: Any) -> Bool { value is any ToManyCollection || value is any ObjectDictionary }
    if object.foreign?.readsPaths == true, !isCollection(value) {
      guard readsEnd || requiresKeys else { return nil }
      let path = ([key] + keys).map(\.text).joined(separator: ".")
      return foreign { object.value(forKeyPath: path).flatMap(unwrapped) }
    }
    var (value, keys) = (value, keys)
    while let name = keys.first, !name.isOperator, let dictionary = value as? any ObjectDictionary,
      dictionary.answersToNames
    {
      // Its keys are hashed and compared.
      guard let next = foreign({ dictionary.value(forKey: name.text).flatMap(unwrapped) }) else { return nil }
      keys.removeFirst()
      if keys.isEmpty { return next }
      if let object = pathObject(next) { return follow(keys, from: object, role, readsEnd: readsEnd) }
      value = next
    }
    if number != nil, keys.first?.isOperator == false, isCollection(value) {
      let path = keys.map(\.text).joined(separator: ".")
      misuse(
        apple: "[<\(type(of: value))> addObserver:forKeyPath:options:context:] is not supported. Key path: \(path).",
        remedy: "Observe \"\(key.text)\" of <\(debugName(of: object))>, or \"\(path)\" of each element.")
    }
    guard readsEnd || requiresKeys else { return nil }
    return foreign { CodingReader.value(keys.map(\.text)[...], of: value) }
  }
}
