/// A dictionary with keys and values of any types, as Key-Value Coding reads it.
protocol ObjectDictionary {
  var count: Int { get }
  /// All keys, in no particular order.
  var allKeys: [Any] { get }
  /// All values, in no particular order.
  var allValues: [Any] { get }
  /// All keys with their values, in no particular order.
  var entries: [(key: Any, value: Any)] { get }
  /// The value for a key that is a string.
  func object(forName name: String) -> Any?
}

extension ObjectDictionary {
  /// The value for the key, or nil. The keys `@count`, `@allKeys`, and `@allValues` are the dictionary's own
  /// properties.
  func value(forKey key: String) -> Any? {
    guard key.hasPrefix("@") else { return object(forName: key) }
    switch key {
    case "@count": return NSNumber(value: count)
    case "@allKeys": return allKeys
    case "@allValues": return allValues
    default:
      misuse(
        undefinedKey: key, of: "\(type(of: self))",
        remedy: "Use @count, @allKeys, or @allValues. Other operators follow a collection, such as @allValues.")
    }
  }
}

extension Dictionary: ObjectDictionary {
  var allKeys: [Any] { Array(keys) }
  var allValues: [Any] { Array(values) }
  var entries: [(key: Any, value: Any)] { map { ($0.key, ObjectBridging.object($0.value)) } }

  func object(forName name: String) -> Any? {
    (name as Any as? Key).flatMap { self[$0] }
  }
}

extension NSDictionary: ObjectDictionary {
  var entries: [(key: Any, value: Any)] { map { (ObjectBridging.bridged($0.key), ObjectBridging.bridged($0.value)) } }

  func object(forName name: String) -> Any? {
    object(forKey: name)
  }
}
