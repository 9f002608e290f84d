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
