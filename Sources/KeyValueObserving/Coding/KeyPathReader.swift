#if !canImport(ObjectiveC)
/// Reads and sets values along key paths, through whatever answers to keys.
enum KeyPathReader {
  /// The value as observers get it: `@Observed` keys are read from their properties.
  static func observedValue(_ path: ArraySlice<String>, of root: KeyValueObject) -> Any? {
    var object = root
    for (index, component) in zip(path.indices, path) {
      let keys = object.slot.info?.keys ?? ClassKeys.of(object)
      guard let value = keys.key(component).value(of: object) else { return nil }
      let rest = path[(index + 1)...]
      if rest.isEmpty { return value }
      guard let next = value as? KeyValueObject else { return Self.value(rest, of: value) }
      object = next
    }
    return root
  }

  /// The value at the end of `path`, which begins at `value`; nil if the path meets nil.
  static func value(_ path: ArraySlice<String>, of value: Any) -> Any? {
    guard let key = path.first else { return value }
    if let object = value as? KeyValueObject { return object.value(forKeyPath: path.joined(separator: ".")) }
    if value is NSNull { return nil }
    let next: Any?
    if let dictionary = value as? NSDictionary {
      next = dictionary.object(forKey: key)
    } else if let dictionary = value as? [String: Any] {
      next = dictionary[key]
    } else {
      misuse(
        """
        [<\(type(of: value))> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key). \
        Key-Value Coding reaches into objects that descend from KeyValueObject, and into dictionaries.
        """)
    }
    return next.flatMap(flattened).flatMap { Self.value(path.dropFirst(), of: $0) }
  }

  /// Sets the value for a key of `container`, which is the last but one on a path.
  static func set(_ value: Any?, forKey key: String, of container: Any) {
    switch container {
    case let object as KeyValueObject:
      object.setValue(value, forKey: key)
    case let dictionary as NSMutableDictionary:
      if let value { dictionary.setObject(value, forKey: NSString(string: key)) } else { dictionary.removeObject(forKey: key) }
    default:
      misuse(
        """
        [<\(type(of: container))> setValue:forUndefinedKey:]: this class is not key value coding-compliant for the key \
        \(key). Key-Value Coding sets keys of objects that descend from KeyValueObject, and of NSMutableDictionary.
        """)
    }
  }
}
#endif
