#if !canImport(ObjectiveC)
/// A dictionary whose values Key-Value Coding reaches, whatever the types of its keys and values.
protocol ObjectDictionary {
  var count: Int { get }
  /// All keys, in no order.
  var allKeys: [Any] { get }
  /// All values, in no order.
  var allValues: [Any] { get }
  /// The value under a key that is a string.
  func object(forName name: String) -> Any?
}

extension ObjectDictionary {
  /// The value under the key, nil if there is none.
  ///
  /// With an `@` before them, the dictionary's own `count`, `allKeys` and `allValues` are keys.
  func value(forKey key: String) -> Any? {
    guard key.hasPrefix("@") else { return object(forName: key) }
    switch key {
    case "@count": return NSNumber(value: count)
    case "@allKeys": return allKeys
    case "@allValues": return allValues
    default:
      misuse(
        apple: """
          [<\(type(of: self))> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key).
          """,
        remedy: "Use @count, @allKeys or @allValues; other operators follow a collection, such as @allValues.")
    }
  }
}

extension Dictionary: ObjectDictionary {
  var allKeys: [Any] { Array(keys) }
  var allValues: [Any] { Array(values) }

  func object(forName name: String) -> Any? {
    (name as Any as? Key).flatMap { self[$0] }
  }
}

extension NSDictionary: ObjectDictionary {
  func object(forName name: String) -> Any? {
    object(forKey: name)
  }
}
#endif
