/// Finds the keys that a Swift key path leads through, by reading it while the objects note what is read of them.
struct KeyPathResolver<Root, Value> {
  let keyPath: KeyPath<Root, Value>
  let root: Root
  let object: KeyValueObservable

  /// The path by its name, or followed by its reads if it leads through something without a key.
  ///
  /// A path that can't be observed stops the process.
  func path() -> ObservedPath {
    switch found() {
    case .success(let path): path
    case .failure(let refusal): refuse(refusal.reason)
    }
  }

  /// Whether the path can be observed.
  func isObservable() -> Bool {
    switch found() {
    case .success: true
    case .failure: false
    }
  }

  /// The name of the path, also of one that can't be observed.
  func pathName() -> String {
    if let known, !known.isIncomplete { return known.name }
    if let known { return (try? found().get())?.name ?? known.name }
    return (try? found().get())?.name ?? description.text
  }

  private struct Refusal: Error {
    let reason: String
  }

  private var known: ObservedPath? {
    (object as AnyObject as? KeyValueObject).flatMap { ClassProperties.of($0).path(of: keyPath) }
  }

  private func found() -> Result<ObservedPath, Refusal> {
    #if canImport(ObjectiveC)
    if let name = keyPath._kvcKeyPathString { return .success(ObservedPath(name)) }
    #endif
    guard let object = object as AnyObject as? KeyValueObject else {
      return .failure(Refusal(reason: "its property isn't known to Key-Value Coding"))
    }
    let properties = ClassProperties.of(object)
    let known = properties.path(of: keyPath)
    if let known, known.read == nil { return .success(known) }
    let (value, reads) = ReadTracker.track(object) { _ in root[keyPath: keyPath] }
    guard !reads.isEmpty else { return .failure(Refusal(reason: "reading it reads no @Observed property")) }
    let isKey = reads.count == 1 && reads[0].owner === object && isProperty(reads[0])
    let result: Result<ObservedPath, Refusal> =
      isKey
      ? .success(properties.path(named: reads[0].name))
      : chain(reads, to: value, properties) ?? followed(reads, value, properties)
    guard case .success(let path) = result else { return result }
    // A key path has one name in all objects of a class, whatever it leads through in each of them.
    if let known, !known.isIncomplete { return .success(known) }
    properties.remember(path, as: keyPath)
    return result
  }

  /// Whether the key path is just that of the property that was read.
  private func isProperty(_ read: ReadTracker.Read) -> Bool {
    func open<Owner>(_ owner: Owner.Type) -> Bool {
      guard let property = read.keyPath as? KeyPath<Owner, Value> else { return false }
      return RebasedKeyPath.isSame(property, keyPath)
    }
    return _openExistential(type(of: read.keyPath).rootType, do: open)
  }

  /// The path by the names of the properties read, if these are what the key path leads through, and nothing else is
  /// read.
  ///
  /// Properties are told by the addresses of their getters. One property may have several, so another address doesn't
  /// say that it is another property. It may be a computed one that only passes on what was read: the path is followed
  /// then.
  private func chain(
    _ reads: [ReadTracker.Read], to value: Value, _ properties: ClassProperties
  ) -> Result<ObservedPath, Refusal>? {
    let components = description.components
    guard reads.count > 1, reads.count == components.count, reads[0].owner === object else { return nil }
    for (before, read) in zip(reads, reads.dropFirst()) where before.value as AnyObject !== read.owner { return nil }
    guard isEqual(flattened(value), reads[reads.count - 1].value) else { return nil }
    let readComponents = reads.map { KeyPathDescription($0.keyPath).components.first }
    guard zip(components, readComponents).allSatisfy({ $1.map($0.hasType) == true }) else { return nil }
    let name = reads.map(\.name).joined(separator: ".")
    if components != readComponents { return .success(ObservedPath(name, pending: nil, read: read)) }
    return .success(properties.path(named: name))
  }

  private func followed(
    _ reads: [ReadTracker.Read], _ value: Value, _ properties: ClassProperties
  ) -> Result<ObservedPath, Refusal> {
    let last = reads[reads.count - 1].value
    let isShort = reads.count < description.components.count
    if isShort, let last = last as? KeyValueObject, flattened(value) as AnyObject !== last {
      return .failure(Refusal(reason: "it leads to <\(name(last))>, of which it reads no @Observed property"))
    }
    #if canImport(ObjectiveC)
    // What isn't read from a KeyValueObject would change unheard.
    if let component = KeyPathComponents(keyPath)?.first(where: \.isOfObjectiveC) {
      return .failure(
        Refusal(reason: "it leads through \(component.rootType), of which Foundation observes properties by name only"))
    }
    #endif
    // Key paths are immutable.
    nonisolated(unsafe) let keyPath = keyPath
    let pending = ObservedPath.Pending {
      properties.path(of: keyPath)?.name
    } find: { object in
      (object as? Root).map { KeyPathResolver(keyPath: keyPath, root: $0, object: object).pathName() }
    }
    let isIncomplete = isShort && last == nil
    return .success(ObservedPath(description.text, pending: isIncomplete ? pending : nil, read: read))
  }

  /// Reads the value at the end of the path from another object.
  private var read: @Sendable (KeyValueObject) -> Any? {
    nonisolated(unsafe) let keyPath = keyPath
    return { object in (object as? Root).flatMap { flattened($0[keyPath: keyPath]) } }
  }

  private func isEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    func equals<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
    if let left = left as? any Equatable { return equals(left) }
    return type(of: left) == type(of: right)
  }

  private var description: KeyPathDescription { KeyPathDescription(keyPath) }

  private func refuse(_ reason: String) -> Never {
    misuse(
      "Cannot observe the key path \(description.text) of <\(name(object))>", because: reason,
      remedy: """
        Mark the property @Observed, or list its key path in keyPaths and name what it depends on in \
        keyPathsForValuesAffectingValue(forKey:).
        """)
  }
}

extension ObservedPath {
  /// The path that a Swift key path means for `root`; one that can't be observed stops the process.
  @usableFromInline
  package static func resolved<Root: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Root, Value>, of root: Root
  ) -> ObservedPath {
    #if !canImport(ObjectiveC)
    if let known = root.properties.path(of: keyPath), known.read == nil { return known }
    #endif
    return KeyPathResolver(keyPath: keyPath, root: root, object: root).path()
  }

  /// The name of the path that a Swift key path means for `root`.
  package static func name<Root: KeyValueObservable, Value>(_ keyPath: KeyPath<Root, Value>, of root: Root) -> String {
    KeyPathResolver(keyPath: keyPath, root: root, object: root).pathName()
  }

  /// Whether a Swift key path can be observed in `root`.
  package static func isObservable<Root: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Root, Value>, of root: Root
  ) -> Bool {
    KeyPathResolver(keyPath: keyPath, root: root, object: root).isObservable()
  }

  /// How messages name a Swift key path.
  package static func description(of keyPath: AnyKeyPath) -> String { KeyPathDescription(keyPath).text }
}

#if canImport(ObjectiveC)
extension KeyPathComponents.Component {
  /// Whether it is a property that can be set, of a class that doesn't descend from ``KeyValueObject``.
  fileprivate var isOfObjectiveC: Bool {
    isSettable && rootType is NSObject.Type && !(rootType is KeyValueObject.Type)
  }
}
#endif
