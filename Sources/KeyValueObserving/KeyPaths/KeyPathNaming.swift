/// Finds the names of key paths.
///
/// A component is a key if its identity in the key path object proves that it is the property of that name. The values
/// that it reads prove nothing.
enum KeyPathNaming {
  /// The keys of a key path from objects of a class; nil if a component isn't known to be a key.
  static func names(of keyPath: AnyKeyPath, from properties: ClassProperties) -> [HashedKey]? {
    if let name = listedName(of: keyPath, in: properties.listed) { return [HashedKey(name)] }
    guard let beginning = beginning(of: keyPath, from: properties), beginning.rest.isEmpty, !beginning.keys.isEmpty
    else { return nil }
    return beginning.keys
  }

  /// What a key path begins with, as far as it is known to be keys.
  struct Beginning {
    fileprivate(set) var keys: [HashedKey] = []
    /// Whether all of the keys are `@Observed`, so that a tracker finds them by reading the path.
    fileprivate(set) var areObserved = true
    /// The components from the first on that isn't known to be a key.
    fileprivate(set) var rest: KeyPathComponents.SubSequence

    /// Whether there are keys, and then a property of an object, which may yet turn out to be a key.
    var isCutShort: Bool {
      guard !keys.isEmpty, let next = rest.first else { return false }
      if case .structField = next.kind { return false }
      return next.rootType is KeyValueObservable.Type
    }
  }

  /// - Returns: Nil if the components of the key path are unknown.
  static func beginning(of keyPath: AnyKeyPath, from properties: ClassProperties) -> Beginning? {
    guard let components = KeyPathComponents(keyPath) else { return nil }
    var beginning = Beginning(rest: components[...])
    while let component = beginning.rest.first {
      switch component.kind {
      case .optionalChain, .optionalForce, .optionalWrap: break
      case .structField: return beginning
      case .computed, .classField:
        guard let type = component.rootType as? KeyValueObservable.Type,
          let key = key(component, in: beginning.keys.isEmpty ? properties.type : type)
        else { return beginning }
        beginning.keys.append(key.name)
        if !key.isObserved { beginning.areObserved = false }
      }
      beginning.rest.removeFirst()
    }
    return beginning
  }

  /// The name for which a class lists this key path.
  private static func listedName(of keyPath: AnyKeyPath, in listed: [String: DeclaredKeyPath]) -> String? {
    listed.first { $0.value.isSame(keyPath) }?.key
  }

  #if canImport(ObjectiveC)
  /// Whether a component is known to be a key.
  static func isKey(_ component: KeyPathComponents.Component) -> Bool {
    (component.rootType as? KeyValueObservable.Type).flatMap { key(component, in: $0) } != nil
  }
  #endif

  /// The key that a component is in a class.
  private static func key(
    _ component: KeyPathComponents.Component, in type: KeyValueObservable.Type
  ) -> (name: HashedKey, isObserved: Bool)? {
    if let identity = component.identity, let property = KnownProperties.property(identity, in: type) {
      #if !canImport(ObjectiveC)
      // A private property can't be found by name if another property of the class has the same name.
      if ClassProperties.of(type).isShadowed(property.index) { return nil }
      #endif
      return (HashedKey(property.name, place: property.index), isObserved: true)
    }
    let listed = listedKeyPaths(of: type).first { $0.value.component?.isSameProperty(as: component) == true }
    if let listed { return (HashedKey(listed.key), isObserved: false) }
    #if canImport(ObjectiveC)
    if let identity = component.identity, let name = ObjectiveCProperty.name(identity, in: type) {
      return (HashedKey(name), isObserved: false)
    }
    #endif
    return nil
  }

  private static func listedKeyPaths(of type: KeyValueObservable.Type) -> [String: DeclaredKeyPath] {
    #if !canImport(ObjectiveC)
    ClassProperties.of(type).listed
    #else
    ClassProperties.listedKeyPaths(of: type)
    #endif
  }

  /// The text of a key path in messages: known components by name, and others as the type of their values.
  ///
  /// - Parameter type: The class of the object at which it begins, if that isn't the key path's root type.
  static func text(of keyPath: AnyKeyPath, from type: KeyValueObservable.Type? = nil) -> String {
    let root = Swift.type(of: keyPath).rootType
    var text = "\\\(root)"
    guard let components = KeyPathComponents(keyPath) else {
      return "\(text).<\(Swift.type(of: keyPath).valueType)>"
    }
    var described = names(keyPath, components)[...]
    for (index, component) in components.enumerated() {
      switch component.kind {
      case .optionalChain: text += "?"
      case .optionalForce: text += "!"
      case .optionalWrap: break
      default:
        let owner = component.rootType as? KeyValueObservable.Type
        let start: KeyValueObservable.Type? = index == 0 ? type ?? owner : owner
        let name = start.flatMap { key(component, in: $0)?.name.text }
        text += ".\(name ?? described.first.flatMap { $0 } ?? "<\(component.valueType)>")"
        described = described.dropFirst()
      }
    }
    return text
  }

  /// The names of the components in Swift's description of the key path; nil for a component without a name.
  ///
  /// A description takes long, and arguments have no names. So the names are remembered for key paths whose components
  /// have the same types and identities.
  private static func names(_ keyPath: AnyKeyPath, _ components: KeyPathComponents) -> [String?] {
    guard let shape = Shape(components) else { return described(keyPath) }
    if let known = lock.withLock({ names[shape] }) { return known }
    let found = described(keyPath)
    lock.withLock { names[shape] = found }
    return found
  }

  /// What distinguishes key paths whose components have other names.
  private struct Shape: Hashable {
    private var words: [UInt] = []

    /// - Returns: Nil if a component has no identity.
    init?(_ components: KeyPathComponents) {
      for component in components {
        words.append(UInt(bitPattern: unsafeBitCast(component.rootType, to: Int.self)))
        switch component.kind {
        case .structField(let offset), .classField(let offset, _): words.append(UInt(bitPattern: offset))
        case .optionalChain, .optionalForce, .optionalWrap: break
        case .computed:
          guard let identity = component.identity else { return nil }
          words.append(identity.address)
        }
      }
    }
  }

  private static let lock = Lock()
  // Guarded by the lock.
  nonisolated(unsafe) private static var names: [Shape: [String?]] = [:]

  private static func described(_ keyPath: AnyKeyPath) -> [String?] {
    if FoundationWay.lacksDescriptions { return [] }
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

extension KeyPathComponents.Component {
  /// Whether the identities prove that this is the same property as `other`.
  ///
  /// Subscripts with the same identity are the same only if their arguments are equal. If only one of the components
  /// has arguments, these are the types of a generic class.
  func isSameProperty(as other: Self) -> Bool {
    guard kind == other.kind, let type = rootType as? AnyClass, let otherType = other.rootType as? AnyClass,
      isClass(type, in: otherType) || isClass(otherType, in: type)
    else { return false }
    if case .classField = kind { return true }
    // Whether superclasses' properties are counted depends on how their module was built.
    if let number { return number == other.number && type == otherType && arguments == other.arguments }
    guard let identity, identity == other.identity else { return false }
    return arguments == nil || other.arguments == nil || arguments == other.arguments
  }

  private func isClass(_ superclass: AnyClass, in type: AnyClass) -> Bool {
    var next: AnyClass? = type
    while let type = next {
      if type == superclass { return true }
      next = _getSuperclass(type)
    }
    return false
  }
}
