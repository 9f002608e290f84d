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
