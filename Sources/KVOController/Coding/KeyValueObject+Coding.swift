/// Key-Value Coding of `@Observed` properties and of the keys in `keyPaths`, for the methods of ``KeyValueObject``.
extension KeyValueObject {
  /// - Parameter undefined: Called for every other key.
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
    requireOwnKeyPath(key, properties)
    return undefined()
  }

  /// - Parameter undefined: Called for every other key.
  final func setCodedValue(_ value: Any?, forKey key: String, orElse undefined: () -> Void) {
    let properties = properties
    let field = properties.field(key)
    guard let assignment = properties.listed[key]?.assignment(value) ?? field?.assignment(of: value) else {
      requireOwnKeyPath(key, properties)
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
        remedy: "Convert the value first. It is \(value.text).")
    }
  }

  /// Whether a key's proxies are Foundation's: the class doesn't declare the key, and Foundation observes it, or only methods
  /// of Objective-C that insert and remove objects can change its collection.
  final func hasProxiesOfFoundation(_ key: String) -> Bool {
    let properties = properties
    guard ObservedKey.areUndeclaredOfFoundation, !properties.hasKey(key) else { return false }
    return properties.key(PathKey(key)).isOfFoundation || (hasMutatorsOfFoundation(key) && !hasSetterOfFoundation(key))
  }

  private final func requireOwnKeyPath(_ key: String, _ properties: ClassProperties) {
    guard let keyPath = properties.misplaced[key] else { return }
    misuse(
      "Cannot use the key \"\(key)\" of <\(debugName(of: self))>",
      because: "keyPaths lists a key path for it that begins at \(Swift.type(of: keyPath).rootType)",
      remedy: "Begin it at \(properties.type).")
  }
}
