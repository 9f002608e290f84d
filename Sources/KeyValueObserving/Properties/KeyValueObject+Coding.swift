/// Key-Value Coding of `@Observed` properties and of the keys in `keyPaths`, for the methods of ``KeyValueObject``.
extension KeyValueObject {
  /// Whether `key` is an ``Observed`` property or listed in ``keyPaths``.
  final func hasCodedValue(forKey key: String) -> Bool {
    let properties = properties
    return properties.declaredKeyPath(key) != nil || observedField(key) != nil
  }

  /// - Parameter undefined: Called for every other key.
  final func codedValue(forKey key: String, orElse undefined: () -> Any?) -> Any? {
    let properties = properties
    if let declared = properties.declaredKeyPath(key) {
      reportRead(ofKey: key)
      return declared.value(self)
    }
    if let field = observedField(key) {
      reportRead(ofKey: key)
      return field.value(of: self)
    }
    return undefined()
  }

  /// - Parameter undefined: Called for every other key.
  final func setCodedValue(_ value: Any?, forKey key: String, orElse undefined: () -> Void) {
    let properties = properties
    let declared = properties.declaredKeyPath(key)
    let field = observedField(key)
    guard let assignment = declared?.assignment(value) ?? field?.assignment(of: value) else { return undefined() }
    switch assignment {
    case .ready(let assign):
      // An @Observed property sends its own notification.
      if field != nil { assign(self) } else { change(key, suppressing: true) { assign(self) } }
    case .nilForNonOptional:
      setNilValueForKey(key)
    case .readOnly:
      setValue(value, forUndefinedKey: key)
    case .wrongType(let expected):
      Assignment.refuse(value, forKey: key, of: self, expected: expected)
    }
  }
}

#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// The properties of the object's class.
  final var properties: ClassProperties {
    slot.borrowedInfo?._withUnsafeGuaranteedRef { $0.keys.properties } ?? ClassProperties.of(self)
  }

  /// The `@Observed` property of that name.
  final func observedField(_ name: String) -> ObservedField? { properties.field(name) }

  final func codedValue(forKeyPath keyPath: String) -> Any? {
    let path = SplitKeyPath(keyPath)
    guard let value = value(forKey: path.first).flatMap(unwrapped) else { return nil }
    return KeyPathReader.value(path.rest, of: value)
  }

  final func setCodedValue(_ value: Any?, forKeyPath keyPath: String) {
    let path = SplitKeyPath(keyPath)
    guard path.all.count > 1 else { return setValue(value, forKey: path.first) }
    if let collectionOperator = path.rest.first(where: { $0.hasPrefix("@") }) {
      misuse(
        "Cannot set the value for the key path \"\(keyPath)\" of <\(debugName(of: self))>",
        because: "a value can't be set through an operator such as \(collectionOperator)",
        remedy: "Set the values to which the operator applies.")
    }
    guard let container = KeyPathReader.value(path.all.dropLast(), of: self) else { return }
    KeyPathReader.set(value, forKey: path.all[path.all.count - 1], of: container)
  }
}
#endif
