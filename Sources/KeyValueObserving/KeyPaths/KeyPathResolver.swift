/// Finds the keys that a Swift key path leads through, by reading it while the objects note what is read of them.
struct KeyPathResolver<Root, Value> {
  let keyPath: KeyPath<Root, Value>
  let root: Root
  let object: KeyValueObservable

  /// The path by its name, or followed by its reads if it leads through something without a key.
  ///
  /// A path that can't be observed stops the process.
  func path() -> ObservedPath {
    #if canImport(ObjectiveC)
    if let name = keyPath._kvcKeyPathString { return ObservedPath(name) }
    #endif
    guard let object = object as AnyObject as? KeyValueObject else { refuse("its property isn't known to Key-Value Coding") }
    let properties = ClassProperties.of(object)
    if let name = properties.name(of: keyPath) { return ObservedPath(name) }
    let (value, reads) = ReadTracker.track(object) { _ in root[keyPath: keyPath] }
    guard !reads.isEmpty else { refuse("reading it reads no @Observed property") }
    if reads.count == 1, reads[0].owner === object, isProperty(reads[0]) {
      properties.remember(reads[0].name, as: keyPath)
      return ObservedPath(reads[0].name)
    }
    if let name = chain(reads, to: value) { return ObservedPath(name) }
    return followed(reads, value)
  }

  /// Whether the key path is just that of the property that was read.
  private func isProperty(_ read: ReadTracker.Read) -> Bool {
    func open<Owner>(_ owner: Owner.Type) -> Bool {
      guard let property = read.keyPath as? KeyPath<Owner, Value> else { return false }
      return PropertyIdentity.isSame(property, keyPath)
    }
    return _openExistential(type(of: read.keyPath).rootType, do: open)
  }

  /// The names of the properties read, if each is one of the object that the one before it gave, and nothing else is read.
  ///
  /// Several components in a row can't be compared one by one. A path counts as such a chain if it has as many components as
  /// properties were read, and gives what the last of these did.
  private func chain(_ reads: [ReadTracker.Read], to value: Value) -> String? {
    guard reads.count > 1, reads.count == componentCount, reads[0].owner === object else { return nil }
    for (before, read) in zip(reads, reads.dropFirst()) where before.value as AnyObject !== read.owner { return nil }
    guard isEqual(flattened(value), reads[reads.count - 1].value) else { return nil }
    return reads.map(\.name).joined(separator: ".")
  }

  private func followed(_ reads: [ReadTracker.Read], _ value: Value) -> ObservedPath {
    let last = reads[reads.count - 1].value as? KeyValueObject
    if let last, reads.count < componentCount, flattened(value) as AnyObject !== last {
      refuse("of <\(name(last))>, which it leads to, it reads no @Observed property")
    }
    #if canImport(ObjectiveC)
    refuse("Foundation observes keys only")
    #else
    let keyPath = keyPath
    return ObservedPath(description) { object in
      (object as? Root).flatMap { flattened($0[keyPath: keyPath]) }
    }
    #endif
  }

  private func isEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    func equals<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
    if let left = left as? any Equatable { return equals(left) }
    return type(of: left) == type(of: right)
  }

  private var description: String { String(reflecting: keyPath) }

  /// How many properties the key path leads through, from Swift's description of it: `\Root.first.second`.
  private var componentCount: Int {
    var depth = 0
    var count = 0
    for character in description {
      switch character {
      case "<", "(", "[": depth += 1
      case ">", ")", "]": depth -= 1
      case "." where depth == 0: count += 1
      default: break
      }
    }
    return count
  }

  private func refuse(_ reason: String) -> Never {
    misuse(
      """
      Cannot observe the key path \(description) of <\(name(object))>: \(reason). Mark the property @Observed, or list its \
      key path in keyPaths and name what it depends on in keyPathsForValuesAffectingValue(forKey:).
      """)
  }
}

extension ObservedPath {
  /// The path that a Swift key path means for `root`; one that can't be observed stops the process.
  package init<Root: KeyValueObservable, Value>(_ keyPath: KeyPath<Root, Value>, of root: Root) {
    self = KeyPathResolver(keyPath: keyPath, root: root, object: root).path()
  }
}
