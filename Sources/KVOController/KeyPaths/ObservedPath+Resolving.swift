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

extension KeyPath {
  /// Reads the value at the end of the key path; nil if a forced step is nil, where Swift traps.
  var reader: (Root) -> Any? {
    let components = isForced ? KeyPathComponent.all(of: self) : nil
    return { root in
      requireNoLock("a key path is read")
      guard let components else { return root[keyPath: self] }
      // The components refer to the memory of the key path object.
      return withExtendedLifetime(self) { components.value(from: root) }
    }
  }

  /// Whether it has a forced step.
  var isForced: Bool { KeyPathComponent.all(of: self)?.contains { $0.kind == .optionalForce } == true }

  /// Whether the last property is that of another object than the one at which the key path begins.
  var leadsToAnotherObject: Bool {
    KeyPathComponent.all(of: self)?.dropFirst().contains { $0.rootType is AnyClass } == true
  }
}

extension ObservedPath {
  static func named(_ name: String, of object: KeyValueObservable) -> ObservedPath {
    let properties = ClassProperties.of(type(of: object))
    return properties.paths.path(named: name, from: properties)
  }

  /// The path of a Swift key path for `root`. Traps if it can't be observed.
  @usableFromInline
  static func resolved<Root>(
    _ keyPath: PartialKeyPath<Root>, of root: KeyValueObservable, _ site: CallSite? = nil
  ) -> ObservedPath {
    ClassProperties.of(type(of: root)).paths[keyPath]
      ?? KeyPathResolver(keyPath: keyPath, object: root, site: site).path()
  }

  /// The path of a Swift key path for `root`; nil if it can't be observed.
  static func found<Root>(_ keyPath: PartialKeyPath<Root>, of root: KeyValueObservable) -> ObservedPath? {
    ClassProperties.of(type(of: root)).paths[keyPath] ?? KeyPathResolver(keyPath: keyPath, object: root).foundPath()
  }

  /// The path of several, each once. Traps if one can't be observed; asserts in debug builds if there are none.
  static func list<Root>(
    _ keyPaths: [PartialKeyPath<Root>], of root: KeyValueObservable, _ site: CallSite
  ) -> ObservedPath {
    if keyPaths.isEmpty { misuseInDebugBuilds(ofEmpty: "the list of key paths", of: root, at: site) }
    return ObservedPath(several: distinct(keyPaths.map { resolved($0, of: root, site) }, at: root))
  }

  static func description(of keyPath: AnyKeyPath) -> String { KeyPathKeys.text(of: keyPath) }
}

/// The steps of a Swift key path that are known to be keys: those whose identity in the key path object proves that
/// they are the property of that name. The values that they read prove nothing, and aren't needed.
struct KeyPathKeys {
  private(set) var keys: [PathKey] = []
  /// Whether all of the keys are `@Observed`, so that a tracker finds them by reading the path.
  private(set) var areObserved = true
  /// Whether a component may be an `@Observed` property of another name, which isn't known until it is read.
  private var mayBeOtherProperties = false
  /// The components from the first on that isn't known to be a key.
  private(set) var rest: ArraySlice<KeyPathComponent>

  /// - Returns: nil if the components of the key path are unknown.
  init?(_ keyPath: AnyKeyPath, from properties: ClassProperties) {
    guard let components = KeyPathComponent.all(of: keyPath) else { return nil }
    rest = components[...]
    let compiled = keyPath._kvcKeyPathString.map { $0.split(separator: ".") } ?? []
    while let component = rest.first {
      switch component.kind {
      case .optionalChain, .optionalForce, .optionalWrap: break
      case .structField: return
      case .computed, .classField:
        guard let type = component.rootType as? KeyValueObservable.Type else { return }
        let owner = keys.isEmpty ? properties : .of(type)
        let name = compiled.dropFirst(keys.count).first.map(String.init)
        let key = Self.key(component, in: owner, compiled: name)
        if key?.property == nil, owner.mayBeField(component, besides: key?.text) { mayBeOtherProperties = true }
        guard let key else { return }
        keys.append(key)
        if key.property == nil { areObserved = false }
      }
      rest.removeFirst()
    }
  }

  /// The keys of a key path from objects of a class; nil if a component isn't known to be a key. The components have their own
  /// names, even if the class lists the key path under another one.
  ///
  /// - Parameter wasRead: Whether the key path was read, so that the `@Observed` properties on it are known.
  static func keys(
    of keyPath: AnyKeyPath, from properties: ClassProperties, wasRead: Bool
  ) -> [PathKey]? {
    if let steps = KeyPathKeys(keyPath, from: properties) {
      if !wasRead, steps.mayBeOtherProperties { return nil }
      if steps.rest.isEmpty, !steps.keys.isEmpty { return steps.keys }
    }
    return properties.listedName(of: keyPath).map { [PathKey($0)] } ?? keyPath._kvcKeyPathString.map(PathKey.keys(of:))
  }

  /// - Parameter compiled: The name that the compiler has given the property, if all properties on the path are of Objective-C.
  static func key(
    _ component: KeyPathComponent, in properties: ClassProperties, compiled: String? = nil
  ) -> PathKey? {
    if let identity = component.identity, let field = properties.fields.last(where: { $0.identity == identity }) {
      return PathKey(field.name, property: field)
    }
    // A key path that is listed twice has the name that comes first in the alphabet, in each run.
    let listed = properties.listed.lazy.filter { $0.value.component?.isSameProperty(as: component) == true }
    if let name = listed.map(\.key).min() { return PathKey(name) }
    return (compiled ?? component.identity?.foundationName(in: properties.type)).map { PathKey($0) }
  }
}

extension ClassProperties {
  /// Whether a component may be an `@Observed` property that isn't known yet.
  ///
  /// - Parameter name: The name that the component has if it isn't.
  fileprivate func mayBeField(_ component: KeyPathComponent, besides name: String?) -> Bool {
    if let name, listed[name]?.component?.isSettable != true { return false }
    return fields.contains { $0.property == nil && $0.name != name && $0.valueType == component.valueType }
  }
}

extension KeyPathComponent {
  /// Whether the identities prove that this is the same property as `other`. Subscripts have to have equal arguments
  /// too. If only one of the components has arguments, these are the types of a generic class.
  fileprivate func isSameProperty(as other: Self) -> Bool {
    guard kind == other.kind, let type = rootType as? AnyClass, let otherType = other.rootType as? AnyClass,
      superclasses(from: otherType).contains(where: { $0 == type })
        || superclasses(from: type).contains(where: { $0 == otherType })
    else { return false }
    if case .classField = kind { return true }
    // Whether superclasses' properties are counted depends on how their module was built.
    if let number { return number == other.number && type == otherType && arguments == other.arguments }
    guard let identity, identity == other.identity else { return false }
    return arguments == nil || other.arguments == nil || arguments == other.arguments
  }
}

// MARK: Reading

extension Sequence<KeyPathComponent> {
  /// The value at the end of the components, of which a forced step leads nowhere if it is nil, unlike that of Swift.
  ///
  /// - Parameter root: A value of the type at which the first one begins. The caller retains the key path object.
  /// - Returns: The value, which may be an Optional; nil if a step is nil.
  func value(from root: Any) -> Any? {
    var value = root
    for component in self {
      switch component.kind {
      case .optionalChain, .optionalForce:
        guard let wrapped = (value as? any OptionalValue)?.wrapped else { return nil }
        value = wrapped
      case .optionalWrap:
        break
      case .structField, .classField, .computed:
        guard let next = component.value(of: value) else { return nil }
        value = next
      }
    }
    return value
  }
}

extension KeyPathComponent {
  /// The value of the property of `root`, which is of the type at which the component begins.
  fileprivate func value(of root: Any) -> Any? {
    func open<Root>(_ root: Root) -> Any? {
      func open<Value>(_ type: Value.Type) -> Any? { value(of: root, as: type) }
      return open(valueType)
    }
    return open(root)
  }
}

// MARK: Texts

extension KeyPathKeys {
  /// The text of a key path in messages: known components by name, and others as the type of their values.
  ///
  /// - Parameter type: The class of the object at which it begins, if that isn't the key path's root type.
  static func text(of keyPath: AnyKeyPath, from type: KeyValueObservable.Type? = nil) -> String {
    let root = Swift.type(of: keyPath).rootType
    var text = "\\\(root)"
    guard let components = KeyPathComponent.all(of: keyPath) else {
      return "\(text).<\(Swift.type(of: keyPath).valueType)>"
    }
    var position = 0
    for (index, component) in components.enumerated() {
      switch component.kind {
      case .optionalChain: text += "?"
      case .optionalForce: text += "!"
      case .optionalWrap: break
      default:
        let owner = component.rootType as? KeyValueObservable.Type
        let start: KeyValueObservable.Type? = index == 0 ? type ?? owner : owner
        let name = start.flatMap { key(component, in: .of($0))?.text }
        text += ".\(name ?? describedName(of: component, at: position, in: keyPath) ?? "<\(component.valueType)>")"
        position += 1
      }
    }
    return text
  }

  /// Names of the properties of types that were found in descriptions, which are slow: the symbols of the executable are searched.
  private static let describedNames = LockedState<[ObjectIdentifier: [PropertyIdentity: String?]]>([:])

  private static func describedName(of component: KeyPathComponent, at position: Int, in keyPath: AnyKeyPath) -> String?
  {
    let type = ObjectIdentifier(component.rootType)
    let identity: PropertyIdentity? =
      if case .structField(let offset) = component.kind { PropertyIdentity(address: UInt(offset)) } else {
        component.identity
      }
    if let identity, let known = describedNames.withLock({ $0[type]?[identity] }) { return known }
    let name = names(in: keyPath).dropFirst(position).first.flatMap { $0 }
    if let identity { describedNames.withLock { $0[type, default: [:]][identity] = .some(name) } }
    return name
  }

  /// The names of the components in Swift's description of the key path, which older systems of Apple's lack; nil for a component
  /// without a name, such as one with arguments.
  private static func names(in keyPath: AnyKeyPath) -> [String?] {
    var depth = 0
    let parts = String(reflecting: keyPath).split { character in
      switch character {
      case "<", "(", "[": depth += 1
      case ">", ")", "]": depth -= 1
      default: return character == "." && depth == 0
      }
      return false
    }
    return parts.dropFirst().map { part in
      let isName = part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "?" || $0 == "!" }
      return isName ? part.filter { $0 != "?" && $0 != "!" } : nil
    }
  }
}
