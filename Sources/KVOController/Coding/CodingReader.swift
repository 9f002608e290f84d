/// Reads and sets values along key paths, through objects, dictionaries, and collections.
enum CodingReader {
  /// The value that observers receive: `@Observed` keys are read from their properties.
  static func value(_ path: ArraySlice<String>, of value: Any) -> Any? {
    guard let key = path.first else { return value }
    let rest = path.dropFirst()
    if let object = pathObject(value), key != "self" {
      return object.value(forKeyPath: path.joined(separator: ".")).flatMap(unwrapped)
    }
    if key.hasPrefix("@"), let collection = value as? any ToManyCollection {
      return CollectionOperator.value(key, rest, of: collection)
    }
    return Self.value(forKey: key, of: value).flatMap { Self.value(rest, of: $0) }
  }

  /// The value for one key, which isn't an operator. For a collection it is a collection, of the same kind, of the
  /// elements' values. An array contains `NSNull` in place of nil; sets and ordered sets omit nil values.
  static func value(forKey key: String, of value: Any) -> Any? {
    if let object = pathObject(value), key != "self" {
      return object.value(forKey: key).flatMap(unwrapped)
    }
    if let dictionary = value as? any ObjectDictionary {
      return dictionary.value(forKey: key).flatMap(unwrapped)
    }
    if let collection = value as? any ToManyCollection {
      return Self.value(forKey: key, ofElementsOf: collection)
    }
    if key == "self" { return value }
    if value is NSNull { return nil }
    if let object = observableObject(value) { return object.value(forKey: key).flatMap(unwrapped) }
    misuse(
      undefinedKey: key, of: "\(type(of: value))",
      remedy: "Use a key path that leads through KeyValueObjects, dictionaries, and collections.")
  }

  private static func value(forKey key: String, ofElementsOf collection: any ToManyCollection) -> Any {
    let values = collection.objects.map { value(forKey: key, of: $0) }
    switch collection.kind {
    case .array: return values.map { $0 ?? NSNull() }
    case .orderedSet: return DistinctValues(values.compactMap { $0 }).orderedSet
    case .set: return DistinctValues(values.compactMap { $0 }).set
    }
  }

  /// Sets the value for a key of `container`, the second-to-last value on a path, or of each of its elements if it is a
  /// collection.
  static func set(_ value: Any?, forKey key: String, of container: Any) {
    if let object = pathObject(container) {
      object.setValue(value, forKey: key)
    } else if let collection = container as? any ToManyCollection {
      for element in collection.objects { set(value, forKey: key, of: element) }
    } else if let dictionary = container as? NSMutableDictionary {
      let key = NSString(string: key)
      if let value = value.flatMap(unwrapped) {
        dictionary.setObject(value, forKey: key)
      } else {
        dictionary.removeObject(forKey: key)
      }
    } else if !(container is NSNull) {
      misuse(
        undefinedKey: key, of: "\(type(of: container))", in: "setValue:forUndefinedKey:",
        remedy: "Set keys of KeyValueObjects, of an NSMutableDictionary, or of the elements of a collection.")
    }
  }
}
