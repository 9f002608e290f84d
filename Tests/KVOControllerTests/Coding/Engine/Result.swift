#if !canImport(ObjectiveC)
import KVOController
import Testing

/// The result of a key path for a value.
func result(_ keyPath: String, of value: Any) -> Any? {
  Box(value).value(forKeyPath: "value." + keyPath)
}

/// The number that a key path makes of a value; nil, with a failure, if it is none.
func number(_ keyPath: String, of value: Any, at location: SourceLocation = #_sourceLocation) -> Double? {
  let result = result(keyPath, of: value)
  guard let number = result as? NSNumber else {
    Issue.record("\(keyPath) is no number: \(result ?? "nil")", sourceLocation: location)
    return nil
  }
  return number.doubleValue
}

/// The array that a key path makes of a value; nil if it makes another value.
func array<Element>(_ keyPath: String, of value: Any, _ type: Element.Type = Element.self) -> [Element]? {
  result(keyPath, of: value) as? [Element]
}

/// The set that a key path makes of a value; nil if it makes another value.
func set<Element>(_ keyPath: String, of value: Any, _ type: Element.Type = Element.self) -> Set<Element>? {
  let result = result(keyPath, of: value)
  return result is [Any] ? nil : result as? Set<Element>
}
#endif
