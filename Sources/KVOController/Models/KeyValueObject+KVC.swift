/// Key-Value Coding of `@Observed` properties and of the keys in `keyPaths`, for the methods of ``KeyValueObject``.
extension KeyValueObject {
  final func codedValue(forKey key: String, orElse undefined: () -> Any?) -> Any? {
    // Foundation may read an object to remove registrations, when its properties are gone.
    guard !isObservationOver else { return nil }
    let properties = properties
    if let listed = properties.listed[key] {
      reportRead(ofKey: key)
      return listed.value(self)
    }
    if let field = properties.field(key) {
      reportRead(ofKey: key)
      return value(of: field)
    }
    return undefined()
  }

  final func setCodedValue(_ value: Any?, forKey key: String, orElse undefined: () -> Void) {
    let properties = properties
    let field = properties.field(key)
    guard let assignment = properties.listed[key]?.assignment(value) ?? field?.assignment(of: value) else {
      return undefined()
    }
    switch assignment {
    case .ready(let assign):
      // An @Observed property sends its own notification.
      if field != nil { assign(self) } else { change(key, isSetter: true) { assign(self) } }
    case .nilForNonOptional:
      setNilValueForKey(key)
    case .readOnly:
      setValue(value, forUndefinedKey: key)
    case .refused(let value, let expected):
      misuse(
        "Cannot set the value for the key \"\(key)\" of <\(debugName(of: self))>", because: value.reason(expected),
        remedy: "Convert the value first. \(value.text)")
    }
  }

  /// Whether a key's proxies are Foundation's: the class doesn't declare the key, and Foundation observes it, or only methods
  /// of Objective-C that insert and remove objects can change its collection.
  final func hasProxiesOfFoundation(_ key: String) -> Bool {
    let properties = properties
    guard ObservedKey.areUndeclaredOfFoundation, !properties.hasKey(key) else { return false }
    return properties.key(PathKey(key)).isOfFoundation || (hasMutatorsOfFoundation(key) && !hasSetterOfFoundation(key))
  }
}

extension CodingReader {
  static func value(forKeyPath keyPath: String, of object: KeyValueCodingObject) -> Any? {
    let keys = PathKey.names(of: keyPath)
    guard let value = object.value(forKey: keys[0]).flatMap(unwrapped) else { return nil }
    return Self.value(keys.dropFirst(), of: value)
  }

  static func set(_ value: Any?, forKeyPath keyPath: String, of object: KeyValueCodingObject) {
    let keys = PathKey.names(of: keyPath)
    guard keys.count > 1 else { return object.setValue(value, forKey: keyPath) }
    if let collectionOperator = keys.dropFirst().first(where: { $0.hasPrefix("@") }) {
      misuse(
        "Cannot set the value for the key path \"\(keyPath)\" of <\(debugName(of: object))>",
        because: "a value can't be set through an operator such as \(collectionOperator)",
        remedy: "Set the values to which the operator applies.")
    }
    guard let container = Self.value(keys.dropLast(), of: object) else { return }
    set(value, forKey: keys[keys.count - 1], of: container)
  }

  /// The object of the last key of `keyPath`, and that key; nil if a step is nil.
  static func owner(
    ofCollectionAt keyPath: String, of object: KeyValueCodingObject
  ) -> (object: KeyValueObservable, key: String)? {
    guard let dot = keyPath.lastIndex(of: ".") else { return observableObject(object).map { ($0, keyPath) } }
    guard let owner = object.value(forKeyPath: String(keyPath[..<dot])) else { return nil }
    let key = String(keyPath[keyPath.index(after: dot)...])
    guard let owner = observableObject(owner) else {
      misuse(
        "Cannot return the value for the key path \"\(keyPath)\" of <\(debugName(of: object))> as a mutable collection",
        because: """
          "\(key)" would be a key of a \(type(of: owner)), which doesn't inherit from \(KeyValueObservable.self)
          """,
        remedy: "Use a key path that ends in a key of such an object.")
    }
    return (owner, key)
  }
}
