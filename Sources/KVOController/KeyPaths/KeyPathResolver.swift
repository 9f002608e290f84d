/// Resolves a Swift key path to its keys, or to a path that must be followed by reading it.
struct KeyPathResolver<Root, Value> {
  let keyPath: KeyPath<Root, Value>
  let object: KeyValueObservable
  /// The place in the client's source that uses the key path, if it is known.
  var site: CallSite?

  /// The path. Traps if it can't be observed.
  func path() -> ObservedPath {
    switch found() {
    case .success(let path): path
    case .failure(let refusal): refuse(refusal)
    }
  }

  /// The path; nil if it can't be observed.
  func foundPath() -> ObservedPath? { try? found().get() }

  /// The keys of the path, joined by dots; nil if they aren't known.
  func keyName() -> String? { foundPath()?.keys.map { $0.map(\.text).joined(separator: ".") } }

  private struct Refusal: Error {
    let reason: String
    var remedy = """
      Mark the property @Observed, or list its key path in keyPaths and name what it depends on in \
      keyPathsForValuesAffectingValue(forKey:).
      """
  }

  private func found() -> Result<ObservedPath, Refusal> {
    let properties = ClassProperties.of(type(of: object))
    if let known = properties.paths.path(of: keyPath) { return .success(known) }
    if let path = named(properties, wasRead: false) { return .success(path) }
    // Reading makes properties known whose getters haven't been called yet.
    let survey = survey()
    let isIncomplete = if case .endsInNil = survey { true } else { false }
    if let path = named(properties, wasRead: !isIncomplete) { return .success(path) }
    if let refusal = refusal(survey) { return .failure(refusal) }
    let path = ObservedPath(
      FollowedKeyPath(keyPath, from: properties, text: text, isIncomplete: isIncomplete, read: read))
    if !isIncomplete { properties.paths.insert(path, of: keyPath) }
    return .success(path)
  }

  /// The path by its keys; nil if one isn't known.
  private func named(_ properties: ClassProperties, wasRead: Bool) -> ObservedPath? {
    guard let keys = KeyPathKeys.keys(of: keyPath, from: properties, wasRead: wasRead) else { return nil }
    let path = ObservedPath(keys)
    properties.paths.insert(path, of: keyPath)
    return path
  }

  // MARK: Reading it once

  /// The findings of reading the path once, about its last property of an object.
  private enum Survey {
    /// Its getter reads `@Observed` properties.
    case reads
    /// Its getter reads none in this object.
    case readsNothing(of: KeyValueObservable)
    /// There is no object to read it from, because a step before it is nil.
    case endsInNil
  }

  private func survey() -> Survey {
    guard KeyPathComponent.areGettersUnderstood, let components = KeyPathComponent.all(of: keyPath),
      let last = components.lastIndex(where: { $0.rootType is KeyValueObservable.Type })
    else { return reads { _ = read(object) } ? .reads : .readsNothing(of: object) }
    return withExtendedLifetime(keyPath) {
      var owner: Any?
      _ = reads { owner = components[..<last].value(from: object).flatMap(unwrapped) }
      guard let owner = owner.flatMap(observableObject) else { return .endsInNil }
      guard reads({ _ = components[last...].value(from: owner) }) else { return .readsNothing(of: owner) }
      if let identity = components[last].identity { _ = readingProperties.withLock { $0.insert(identity) } }
      return .reads
    }
  }

  /// Whether `body` reads an `@Observed` property.
  private func reads(_ body: () -> Void) -> Bool {
    var reads = false
    ReadTracker.track { _, _ in
      reads = true
    } _: {
      body()
    }
    return reads
  }

  /// The reason why the path can't be observed; nil if it can.
  private func refusal(_ survey: Survey) -> Refusal? {
    guard let components = KeyPathComponent.all(of: keyPath) else {
      return if case .readsNothing = survey { Refusal(reason: Self.readsNothing) } else { nil }
    }
    guard let last = components.last(where: { $0.rootType is KeyValueObservable.Type }) else {
      return Refusal(reason: "\\.self has no key", remedy: "Observe one of its properties.")
    }
    if case .classField(_, isVariable: false) = last.kind {
      return Refusal(
        reason: "the property is a constant (`let`), so it never changes",
        remedy: "Make it a variable (`var`) that is marked @Observed.")
    }
    switch survey {
    case .reads: return nil
    case .readsNothing(let owner):
      if let identity = last.identity, readingProperties.withLock({ $0.contains(identity) }) { return nil }
      return Refusal(
        reason: owner === object
          ? Self.readsNothing : "it leads to <\(debugName(of: owner))>, of which it reads no @Observed property")
    case .endsInNil:
      guard case .classField = last.kind else { return nil }
      return Refusal(reason: "it leads to \(last.rootType), of which it reads no @Observed property")
    }
  }

  private static var readsNothing: String { "reading it reads no @Observed property" }

  /// Reads the value at the end of the path; nil if a step is nil.
  private var read: (KeyValueObservable) -> Any? {
    let read = keyPath.reader
    return { object in (object as? Root).flatMap(read).flatMap { unwrapped($0) } }
  }

  private var text: String { KeyPathKeys.text(of: keyPath, from: type(of: object)) }

  private func refuse(_ refusal: Refusal) -> Never {
    misuse(
      "Cannot observe the key path \(text) of <\(debugName(of: object))>", because: refusal.reason,
      remedy: ClassProperties.of(type(of: object)).remedy(refusal.remedy), site: site)
  }
}

/// The properties without keys whose getters have read `@Observed` properties. They can be observed even in an object in which
/// they read none at that moment.
private let readingProperties = LockedState<Set<PropertyIdentity>>([])

extension KeyPath {
  /// Reads the value at the end of the key path; nil if a forced step is nil, where Swift traps.
  var reader: (Root) -> Value? {
    guard KeyPathComponent.areGettersUnderstood, let components = KeyPathComponent.all(of: self),
      components.contains(where: { $0.kind == .optionalForce })
    else { return { $0[keyPath: self] } }
    return { root in
      // The components refer to the memory of the key path object.
      guard let value = withExtendedLifetime(self, { components.value(from: root) }) else { return nil }
      return value as? Value
    }
  }
}

extension ObservedPath {
  /// The path of that name from objects of the class of `object`.
  static func named(_ name: String, of object: KeyValueObservable) -> ObservedPath {
    ClassProperties.of(type(of: object)).paths.path(named: name)
  }

  /// Resolves a Swift key path for `root`. Traps if it can't be observed.
  @usableFromInline
  static func resolved<Root: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Root, Value>, of root: Root, _ site: CallSite? = nil
  ) -> ObservedPath {
    if let known = ClassProperties.of(type(of: root)).paths.path(of: keyPath) { return known }
    return KeyPathResolver(keyPath: keyPath, object: root, site: site).path()
  }

  /// Resolves a Swift key path of any value for `root`. Traps if it can't be observed.
  static func resolved<Root: KeyValueObservable>(
    _ keyPath: PartialKeyPath<Root>, of root: Root, _ site: CallSite?
  ) -> ObservedPath {
    func resolved<Value>(to value: Value.Type) -> ObservedPath {
      // Each key path is of the class that its root and value name.
      self.resolved(keyPath as! KeyPath<Root, Value>, of: root, site)
    }
    return _openExistential(type(of: keyPath).valueType, do: resolved)
  }

  /// The path of a Swift key path for `root`; nil if it can't be observed.
  static func found<Root: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Root, Value>, of root: Root
  ) -> ObservedPath? {
    if let known = ClassProperties.of(type(of: root)).paths.path(of: keyPath) { return known }
    return KeyPathResolver(keyPath: keyPath, object: root).foundPath()
  }

  /// The text of a Swift key path in messages.
  static func description(of keyPath: AnyKeyPath) -> String { KeyPathKeys.text(of: keyPath) }
}
