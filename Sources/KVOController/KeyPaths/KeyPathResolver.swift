/// Resolves a Swift key path to its keys, or to a path that must be followed by reading it.
struct KeyPathResolver<Root> {
  let keyPath: PartialKeyPath<Root>
  let object: KeyValueObservable
  /// The place in the client's source that uses the key path, if it is known.
  var site: CallSite?

  /// The path. Traps if it can't be observed.
  func path() -> ObservedPath {
    switch found() {
    case .success(let path): path
    case .failure(let refusal):
      misuse(
        "Cannot observe the key path \(text) of <\(debugName(of: object))>", because: refusal.reason,
        remedy: ClassProperties.of(type(of: object)).remedy(refusal.remedy), site: site)
    }
  }

  /// The path; nil if it can't be observed.
  func foundPath() -> ObservedPath? { try? found().get() }

  private struct Refusal: Error {
    let reason: String
    var remedy = """
      Mark the property @Observed, or list its key path in keyPaths and name what it depends on in \
      keyPathsForValuesAffectingValue(forKey:).
      """
  }

  private func found() -> Result<ObservedPath, Refusal> {
    let properties = ClassProperties.of(type(of: object))
    if let path = named(properties, wasRead: false) { return .success(path) }
    // Reading makes properties known whose getters haven't been called yet.
    var silentSteps: [(KeyPathComponent, KeyValueObservable)] = []
    let survey = survey(&silentSteps)
    let isIncomplete = if case .endsInNil = survey { true } else { false }
    if let path = named(properties, wasRead: !isIncomplete) { return .success(path) }
    // A key whose value the path leads into, as `\.contentOffset.y` does, is followed, and the rest is read.
    let steps = KeyPathKeys(keyPath, from: properties)
    let isOfValue = steps.map { !$0.keys.isEmpty && !$0.rest.contains { $0.rootType is KeyValueObservable.Type } }
    if isOfValue != true, let refusal = Self.refusal(keyPath, survey, from: object, site) { return .failure(refusal) }
    for (step, owner) in silentSteps { notice(step, of: owner) }
    let path = ObservedPath(
      FollowedKeyPath(keyPath, from: properties, text: text, isIncomplete: isIncomplete, read: read))
    if !isIncomplete { properties.paths.insert(path, of: keyPath) }
    return .success(path)
  }

  /// The path by its keys; nil if one isn't known.
  private func named(_ properties: ClassProperties, wasRead: Bool) -> ObservedPath? {
    guard let keys = KeyPathKeys.keys(of: keyPath, from: properties, wasRead: wasRead) else { return nil }
    let path = ObservedPath(keys, from: properties, of: keyPath)
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

  /// - Parameter silentSteps: Gets the steps before the last one that read no `@Observed` property, with their objects.
  private func survey(_ silentSteps: inout [(KeyPathComponent, KeyValueObservable)]) -> Survey {
    let components = KeyPathComponent.all(of: keyPath) ?? []
    let steps = components.indices.filter { components[$0].rootType is KeyValueObservable.Type }
    guard let last = steps.last else { return reads { _ = read(object) } ? .reads : .readsNothing(of: object) }
    return withExtendedLifetime(keyPath) {
      var owner: KeyValueObservable = object
      for (step, next) in zip(steps, steps.dropFirst()) {
        var value: Any?
        let isSilent = !reads { value = components[step..<next].value(from: owner) }
        if isSilent { silentSteps.append((components[step], owner)) }
        guard let object = value.flatMap(unwrapped).flatMap(observableObject) else { return .endsInNil }
        owner = object
      }
      guard reads({ _ = components[last...].value(from: owner) }) else { return .readsNothing(of: owner) }
      if let identity = components[last].identity { _ = readingProperties.withLock { $0.insert(identity) } }
      return .reads
    }
  }

  /// Whether `body` reads an `@Observed` property.
  private func reads(_ body: () -> Void) -> Bool {
    var reads = false
    ReadTracker.track({ _, _ in reads = true }, body)
    return reads
  }

  /// Why a key path can't be observed in any object of its root type; nil if it may be.
  private static func refusal(
    _ keyPath: AnyKeyPath, _ survey: Survey, from object: KeyValueObservable?, _ site: CallSite? = nil
  ) -> Refusal? {
    guard let components = KeyPathComponent.all(of: keyPath) else {
      return if case .readsNothing = survey { Refusal(reason: readsNothing) } else { nil }
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
      let valueType: Any.Type = type(of: keyPath).valueType
      guard !isZeroSized(valueType) else {
        DebugNotice.send(aboutUnchanging: ObservedPath.description(of: keyPath), of: type(of: owner), valueType)
        return nil
      }
      if isOverride(last, of: owner) {
        DebugNotice.send(aboutOverride: ObservedPath.description(of: keyPath), of: type(of: owner), at: site)
        return nil
      }
      if let identity = last.identity, readingProperties.withLock({ $0.contains(identity) }) { return nil }
      if let foreign = owner.foreign, type(of: foreign).isOfOtherCopy {
        return Refusal(
          reason:
            "<\(debugName(of: owner))> is a KeyValueObject of another copy of the module KVOController, which is linked twice",
          remedy:
            "Link it once: take it out of the frameworks of the test target, for instance, whose app has it already.")
      }
      return Refusal(
        reason: owner === object
          ? readsNothing : "it leads to <\(debugName(of: owner))>, of which it reads no @Observed property")
    case .endsInNil:
      guard case .classField = last.kind else { return nil }
      if last.rootType == Root.self { return Refusal(reason: readsNothing) }
      return Refusal(reason: "it leads to \(last.rootType), of which it reads no @Observed property")
    }
  }

  /// Whether a property of an object overrides another one. Of another class's objects it may be observed, perhaps before.
  private static func isOverride(_ property: KeyPathComponent, of owner: KeyValueObservable) -> Bool {
    guard property.identity != nil, property.method == nil else { return property.isOverridden(in: type(of: owner)) }
    // A final override isn't known as such: it is taken for one of an @Observed property of its type.
    guard property.isSettable,
      let superclass = (property.rootType as? AnyClass).flatMap(_getSuperclass) as? KeyValueObject.Type
    else { return false }
    return ClassProperties.of(superclass).fields.contains { $0.valueType == property.valueType }
  }

  /// Tells the developer that a step isn't observed, because it is a plain variable, or an override that reads nothing.
  private func notice(_ step: KeyPathComponent, of owner: KeyValueObservable) {
    #if DEBUG
    let type = type(of: owner)
    guard KeyPathKeys.key(step, in: .of(type)) == nil else { return }
    if step.isOverridden(in: type) { return DebugNotice.send(aboutOverride: text, of: type, at: site) }
    let variables = step.plainVariables
    guard !variables.isEmpty else { return }
    let remedy = owner.own == nil ? "Declare it @objc dynamic" : "Mark it @Observed"
    DebugNotice.send(about: "\(text) through \(step.kind) \(String(describing: step.identity))", at: site) {
      "\(text) leads through \(variables.joined(separator: " or ")) of \(type), a plain variable, so observers aren't "
        + "notified when it is replaced. \(remedy), or make it a constant (`let`)."
    }
    #endif
  }

  private static var readsNothing: String { "reading it reads no @Observed property" }

  /// Reads the value at the end of the path; nil if a step is nil.
  private var read: (KeyValueObservable) -> Any? {
    // Each key path is of the class that its root and value name.
    func reader<Value>(to value: Value.Type) -> (Root) -> Any? { (keyPath as! KeyPath<Root, Value>).reader }
    let read = _openExistential(type(of: keyPath).valueType, do: reader)
    return { object in (object as? Root).flatMap(read).flatMap { unwrapped($0) } }
  }

  private var text: String { KeyPathKeys.text(of: keyPath, from: type(of: object)) }

  /// Traps if a key path can't be observed in any object of its root type.
  static func requireObservable(_ keyPath: PartialKeyPath<Root>, of type: KeyValueObservable.Type, _ site: CallSite) {
    guard let refusal = refusal(keyPath, .endsInNil, from: nil) else { return }
    misuse(
      "Cannot observe the key path \(KeyPathKeys.text(of: keyPath)) of elements of type \(type)",
      because: refusal.reason,
      remedy: ClassProperties.of(type).remedy(refusal.remedy), site: site)
  }
}

private func isZeroSized<Value>(_ type: Value.Type) -> Bool { MemoryLayout<Value>.size == 0 }

/// The properties without keys whose getters have read `@Observed` properties. They can be observed even in an object in which
/// they read none at that moment.
private let readingProperties = LockedState<Set<PropertyIdentity>>([])
