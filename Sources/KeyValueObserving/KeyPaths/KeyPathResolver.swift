/// Resolves a Swift key path to its keys, or to a path that must be followed by reading it.
struct KeyPathResolver<Root, Value> {
  let keyPath: KeyPath<Root, Value>
  let root: Root
  let object: KeyValueObservable

  /// The path by its name, or followed by reading it if a component has no key. Traps if it can't be observed.
  func path() -> ObservedPath {
    switch found() {
    case .success(let path): path
    case .failure(let refusal): refuse(refusal)
    }
  }

  /// Whether the path can be observed.
  func isObservable() -> Bool {
    switch found() {
    case .success: true
    case .failure: false
    }
  }

  /// The path; nil if it can't be observed.
  func foundPath() -> ObservedPath? {
    try? found().get()
  }

  /// The name of the path; nil if it has none.
  func keyName() -> String? {
    foundPath()?.named?.name
  }

  private struct Refusal: Error {
    let reason: String
    var isOfConstant = false
    var remedy = """
      Mark the property @Observed, or list its key path in keyPaths and name what it depends on in \
      keyPathsForValuesAffectingValue(forKey:).
      """
  }

  private func found() -> Result<ObservedPath, Refusal> {
    #if canImport(ObjectiveC)
    if let name = keyPath._kvcKeyPathString { return .success(ObservedPath(name)) }
    #endif
    let paths = ClassKeyPaths.of(object)
    if let known = paths.path(of: keyPath) { return .success(known.named ?? known) }
    // Properties that are read are known from now on.
    let reads = ReadTracker.reads(from: object, also: reached(paths)) { _ in root[keyPath: keyPath] }.reads
    if let known = paths.path(of: keyPath) { return .success(known.named ?? known) }
    if let property = onlyProperty(reads, of: object) {
      return .success(paths.remember(paths.path(named: property), as: keyPath))
    }
    return unnamed(reads, of: object, paths)
  }

  /// The object to which the known keys lead, if reading might not find it: only a weak property may lead to it.
  private func reached(_ paths: ClassKeyPaths) -> KeyValueObservable? {
    guard let beginning = KeyPathNaming.beginning(of: keyPath, from: paths.properties), beginning.isCutShort,
      !beginning.areObserved
    else { return nil }
    return object.value(forKeyPath: beginning.keys.map(\.text).joined(separator: "."))
      .flatMap(unwrapped).flatMap(observableObject)
  }

  /// The name of the property that was read, if the key path is equal to the property's own.
  ///
  /// This is needed only if the components of the key path are unknown.
  private func onlyProperty(_ reads: [ReadTracker.Read], of object: KeyValueObservable) -> String? {
    guard reads.count == 1, reads[0].owner === object else { return nil }
    let property = reads[0].property
    guard !property.properties.isShadowed(property.index) else { return nil }
    func open<Owner>(_ owner: Owner.Type) -> Bool {
      guard let property = reads[0].keyPath as? KeyPath<Owner, Value> else { return false }
      return RebasedKeyPath.isSame(property, keyPath)
    }
    let rootType: Any.Type = type(of: reads[0].keyPath).rootType
    guard open(rootType) else { return nil }
    return property.properties.fields[property.index].name
  }

  /// A path with a component that isn't a key, or isn't known to be one yet.
  private func unnamed(
    _ reads: [ReadTracker.Read], of object: KeyValueObservable, _ paths: ClassKeyPaths
  ) -> Result<ObservedPath, Refusal> {
    let end = constantOrPlainEnd()
    if let end, reads.isEmpty || end.isOfConstant { return .failure(end) }
    let beginning = KeyPathNaming.beginning(of: keyPath, from: paths.properties)
    let hasUnreadKeys = beginning?.areObserved == false
    let isRead = !reads.isEmpty || isFollowed(inSuperclassesOf: object) || KnownProperties.areRead(through: keyPath)
    guard isRead || hasUnreadKeys else {
      #if canImport(ObjectiveC)
      if !(object is KeyValueObject) {
        let reason = "its property isn't known to Key-Value Coding"
        return .failure(Refusal(reason: reason, remedy: "Declare the property @objc dynamic."))
      }
      #endif
      return .failure(Refusal(reason: "reading it reads no @Observed property"))
    }
    if let refusal = silentObject(reads, at: object, beginning) ?? end { return .failure(refusal) }
    let isCutShort = isCutShort(at: object, beginning)
    #if canImport(ObjectiveC)
    // What isn't known by its name, nor read from a KeyValueObject, would change unnoticed. Names that come after a property
    // that isn't known yet count once that is known.
    let unnoticed = beginning?.rest.first { $0.isOfObjectiveC && !(isCutShort && KeyPathNaming.isKey($0)) }
    if let unnoticed {
      return .failure(
        Refusal(reason: "it leads through \(unnoticed.rootType), of which Foundation observes properties by name only"))
    }
    #endif
    if !isCutShort, !reads.isEmpty { KnownProperties.noteReads(through: keyPath) }
    let path = ObservedPath(
      paths.uniqueText(text), pending: isCutShort ? pendingName(paths) : nil,
      beginning: hasUnreadKeys || isCutShort ? keysAtBeginning(paths) : nil, read: read)
    return .success(paths.remember(path, as: keyPath))
  }

  /// The reason why the path can't be observed whatever objects are on it, which is that it ends in a constant, in a
  /// stored property that isn't observed, or at the object itself; otherwise nil.
  private func constantOrPlainEnd() -> Refusal? {
    guard let components = KeyPathComponents(keyPath) else { return nil }
    guard let last = components.last(where: { ![.optionalChain, .optionalForce, .optionalWrap].contains($0.kind) })
    else {
      return Refusal(reason: "\\.self has no key", remedy: "Observe one of its properties.")
    }
    guard case .classField(_, let isVariable) = last.kind, last.rootType is KeyValueObject.Type else { return nil }
    if !isVariable {
      return Refusal(
        reason: "the property is a constant (`let`), so it never changes", isOfConstant: true,
        remedy: "Make it a variable (`var`) that is marked @Observed.")
    }
    return Refusal(
      reason: components.count == 1
        ? "reading it reads no @Observed property"
        : "it leads to \(last.rootType), of which it reads no @Observed property")
  }

  /// The reason why the path can't be observed, which is that it has never read anything from the object before the
  /// first component without a key; otherwise nil.
  private func silentObject(
    _ reads: [ReadTracker.Read], at object: KeyValueObservable, _ beginning: KeyPathNaming.Beginning?
  ) -> Refusal? {
    guard let beginning, beginning.isCutShort,
      let value = object.value(forKeyPath: beginning.keys.map(\.text).joined(separator: ".")).flatMap(unwrapped),
      let owner = keyValueObject(value), !reads.contains(where: { $0.owner === owner }),
      !KnownProperties.areRead(through: keyPath)
    else { return nil }
    return Refusal(reason: "it leads to <\(debugName(of: owner))>, of which it reads no @Observed property")
  }

  /// Whether objects of a superclass have read observed properties for the same key path.
  private func isFollowed(inSuperclassesOf object: KeyValueObservable) -> Bool {
    #if !canImport(ObjectiveC)
    var next = _getSuperclass(type(of: object)) as? KeyValueObject.Type
    while let type = next {
      if ClassKeyPaths.of(ClassProperties.of(type)).knownPath(of: keyPath) != nil { return true }
      next = _getSuperclass(type) as? KeyValueObject.Type
    }
    #endif
    return false
  }

  /// Whether a step is nil before the first component that isn't known to be a key, so that it may become known later.
  private func isCutShort(at object: KeyValueObservable, _ beginning: KeyPathNaming.Beginning?) -> Bool {
    guard let beginning, beginning.isCutShort else { return false }
    return object.value(forKeyPath: beginning.keys.map(\.text).joined(separator: ".")).flatMap(unwrapped) == nil
  }

  /// Finds the keys with which the path begins, of which there may be more once it has led to its end.
  private func keysAtBeginning(_ paths: ClassKeyPaths) -> @Sendable () -> [HashedKey] {
    // Key paths are immutable.
    nonisolated(unsafe) let keyPath = keyPath
    return { KeyPathNaming.beginning(of: keyPath, from: paths.properties)?.keys ?? [] }
  }

  private func pendingName(_ paths: ClassKeyPaths) -> PendingName {
    // Key paths are immutable.
    nonisolated(unsafe) let keyPath = keyPath
    return PendingName {
      paths.namedPath(of: keyPath)
    } learn: { object in
      ReadTracker.track(object, willRead: { _, _ in }) { _ = ($0 as? Root)?[keyPath: keyPath] }
    }
  }

  /// Reads the value at the end of the path from another object.
  private var read: @Sendable (KeyValueObservable) -> Any? {
    nonisolated(unsafe) let keyPath = keyPath
    return { object in (object as? Root).flatMap { unwrapped($0[keyPath: keyPath]) } }
  }

  private var text: String {
    KeyPathNaming.text(of: keyPath, from: type(of: object as AnyObject) as? KeyValueObservable.Type)
  }

  private func refuse(_ refusal: Refusal) -> Never {
    misuse(
      "Cannot observe the key path \(text) of <\(debugName(of: object))>", because: refusal.reason,
      remedy: refusal.remedy)
  }
}

extension ObservedPath {
  /// Resolves a Swift key path for `root`. Traps if it can't be observed.
  @usableFromInline
  package static func resolved<Root: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Root, Value>, of root: Root
  ) -> ObservedPath {
    #if !canImport(ObjectiveC)
    if let known = known(keyPath, of: root) { return known }
    #endif
    return KeyPathResolver(keyPath: keyPath, root: root, object: root).path()
  }

  /// The path of a Swift key path for `root`; nil if it can't be observed.
  package static func found<Root: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Root, Value>, of root: Root
  ) -> ObservedPath? {
    #if !canImport(ObjectiveC)
    if let known = known(keyPath, of: root) { return known }
    #endif
    return KeyPathResolver(keyPath: keyPath, root: root, object: root).foundPath()
  }

  #if !canImport(ObjectiveC)
  /// The path, if it is known already. It is found without a resolver, whose type the runtime would have to look up.
  private static func known(_ keyPath: AnyKeyPath, of root: KeyValueObject) -> ObservedPath? {
    guard let known = ClassKeyPaths.borrowed(of: root)._withUnsafeGuaranteedRef({ $0.path(of: keyPath) }) else {
      return nil
    }
    return known.named ?? known
  }
  #endif

  /// Whether a Swift key path can be observed in `root`.
  package static func isObservable<Root: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Root, Value>, of root: Root
  ) -> Bool {
    KeyPathResolver(keyPath: keyPath, root: root, object: root).isObservable()
  }

  /// The text of a Swift key path in messages.
  package static func description(of keyPath: AnyKeyPath) -> String { KeyPathNaming.text(of: keyPath) }
}

#if canImport(ObjectiveC)
extension KeyPathComponents.Component {
  /// Whether this is a property that can be set, of a class that doesn't inherit from ``KeyValueObject``.
  fileprivate var isOfObjectiveC: Bool {
    isSettable && rootType is NSObject.Type && !(rootType is KeyValueObject.Type)
  }
}
#endif
