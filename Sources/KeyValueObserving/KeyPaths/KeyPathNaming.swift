/// Names key paths after the keys that they lead through.
///
/// A component is a key if the key path object proves that it is just that property: it holds the identity of each. What
/// the component reads or is equal to says nothing.
enum KeyPathNaming {
  /// The keys, joined by dots, that a key path leads through from objects of a class; nil if a component isn't known to
  /// be a key.
  static func name(of keyPath: AnyKeyPath, from properties: ClassProperties) -> String? {
    if let name = listedName(of: keyPath, in: properties.listed) { return name }
    guard let components = KeyPathComponents(keyPath) else { return nil }
    var names: [String] = []
    for component in components {
      switch component.kind {
      case .optionalChain, .optionalForce, .optionalWrap: continue
      case .structField: return nil
      case .computed, .classField:
        guard let type = component.rootType as? KeyValueObject.Type,
          let name = name(of: component, in: names.isEmpty ? properties.type : type)
        else { return nil }
        names.append(name)
      }
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// The keys that a key path leads through before the first property of an object that isn't known to be a key; nil if
  /// there is no such property, or if it leads through something else before.
  static func keysBeforeUnknown(in keyPath: AnyKeyPath, from properties: ClassProperties) -> [String]? {
    guard let components = KeyPathComponents(keyPath) else { return nil }
    var names: [String] = []
    for component in components {
      switch component.kind {
      case .optionalChain, .optionalForce, .optionalWrap: continue
      case .structField: return nil
      case .computed, .classField:
        guard let type = component.rootType as? KeyValueObject.Type else { return nil }
        guard let name = name(of: component, in: names.isEmpty ? properties.type : type) else { return names }
        names.append(name)
      }
    }
    return nil
  }

  /// The name under which a class lists just this key path.
  private static func listedName(of keyPath: AnyKeyPath, in listed: [String: DeclaredKeyPath]) -> String? {
    listed.first { $0.value.isSame(keyPath) }?.key
  }

  /// The name of the key that a component is in a class.
  private static func name(of component: KeyPathComponents.Component, in type: KeyValueObject.Type) -> String? {
    if let identity = component.identity, let property = KnownProperties.property(identity, in: type) {
      #if !canImport(ObjectiveC)
      // A private property whose name the class gives to another can't be reached by name.
      if ClassProperties.of(type).isShadowed(property.index) { return nil }
      #endif
      return property.name
    }
    return listedKeyPaths(of: type).first { $0.value.component?.isSameProperty(as: component) == true }?.key
  }

  private static func listedKeyPaths(of type: KeyValueObject.Type) -> [String: DeclaredKeyPath] {
    #if !canImport(ObjectiveC)
    ClassProperties.of(type).listed
    #else
    ClassProperties.listedKeyPaths(of: type)
    #endif
  }

  /// How a key path that has no name is written: with the keys that are known, and the types of the others' values.
  ///
  /// - Parameter type: The class of the object at which it begins, if that isn't the one that the key path names.
  static func text(of keyPath: AnyKeyPath, from type: KeyValueObject.Type? = nil) -> String {
    let root = Swift.type(of: keyPath).rootType
    var text = "\\\(root)"
    guard let components = KeyPathComponents(keyPath) else {
      return "\(text).<\(Swift.type(of: keyPath).valueType)>"
    }
    var described = Self.described(keyPath)[...]
    for (index, component) in components.enumerated() {
      switch component.kind {
      case .optionalChain: text += "?"
      case .optionalForce: text += "!"
      case .optionalWrap: break
      default:
        let owner = component.rootType as? KeyValueObject.Type
        let start: KeyValueObject.Type? = index == 0 ? type ?? owner : owner
        let name = start.flatMap { Self.name(of: component, in: $0) }
        text += ".\(name ?? described.first.flatMap { $0 } ?? "<\(component.valueType)>")"
        described = described.dropFirst()
      }
    }
    return text
  }

  /// What Swift calls each component; nil for one of which it knows nothing but an address.
  private static func described(_ keyPath: AnyKeyPath) -> [String?] {
    guard #available(macOS 13.3, iOS 16.4, watchOS 9.4, tvOS 16.4, *) else { return [] }
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
  /// Whether the identities prove that this is the property that `other` is.
  ///
  /// Two subscripts with arguments may have the same identity; they are the same only if their arguments are. Where one
  /// has arguments and the other none, these are the types of a generic class.
  func isSameProperty(as other: Self) -> Bool {
    guard kind == other.kind, let type = rootType as? AnyClass, let otherType = other.rootType as? AnyClass,
      isClass(type, in: otherType) || isClass(otherType, in: type)
    else { return false }
    if case .classField = kind { return true }
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
