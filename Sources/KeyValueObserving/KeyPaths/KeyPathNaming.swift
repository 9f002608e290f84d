/// Finds the names of key paths.
///
/// A component is a key if its identity in the key path object proves that it is the property of that name. The values
/// that it reads prove nothing.
enum KeyPathNaming {
  /// The keys of a key path from objects of a class; nil if a component isn't known to be a key.
  static func names(of keyPath: AnyKeyPath, from properties: ClassProperties) -> [KeyName]? {
    if let name = listedName(of: keyPath, in: properties.listed) { return [KeyName(name)] }
    guard let components = KeyPathComponents(keyPath) else { return nil }
    var names: [KeyName] = []
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
    return names.isEmpty ? nil : names
  }

  /// The keys of a key path before its first property that isn't known to be a key; nil if there is no such property,
  /// or if another kind of component precedes it.
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
        names.append(name.text)
      }
    }
    return nil
  }

  /// The name for which a class lists this key path.
  private static func listedName(of keyPath: AnyKeyPath, in listed: [String: DeclaredKeyPath]) -> String? {
    listed.first { $0.value.isSame(keyPath) }?.key
  }

  /// The name of a component's key in a class.
  private static func name(of component: KeyPathComponents.Component, in type: KeyValueObject.Type) -> KeyName? {
    if let identity = component.identity, let property = KnownProperties.property(identity, in: type) {
      #if !canImport(ObjectiveC)
      // A private property can't be found by name if another property of the class has the same name.
      if ClassProperties.of(type).isShadowed(property.index) { return nil }
      #endif
      return KeyName(property.name, place: property.index)
    }
    return listedKeyPaths(of: type).first { $0.value.component?.isSameProperty(as: component) == true }
      .map { KeyName($0.key) }
  }

  private static func listedKeyPaths(of type: KeyValueObject.Type) -> [String: DeclaredKeyPath] {
    #if !canImport(ObjectiveC)
    ClassProperties.of(type).listed
    #else
    ClassProperties.listedKeyPaths(of: type)
    #endif
  }

  /// The text of a key path in messages: known components by name, and others as the type of their values.
  ///
  /// - Parameter type: The class of the object at which it begins, if that isn't the key path's root type.
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
        let name = start.flatMap { Self.name(of: component, in: $0)?.text }
        text += ".\(name ?? described.first.flatMap { $0 } ?? "<\(component.valueType)>")"
        described = described.dropFirst()
      }
    }
    return text
  }

  /// The names of the components in Swift's description of the key path; nil for a component without a name.
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
  /// Whether the identities prove that this is the same property as `other`.
  ///
  /// Subscripts with the same identity are the same only if their arguments are equal. If only one of the components
  /// has arguments, these are the types of a generic class.
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
