extension KeyValueObject {
  /// The object of the last key of `keyPath`, and that key; nil if a step is nil.
  final func toManyOwner(_ keyPath: String) -> (KeyValueObservable, key: String)? {
    guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
    guard let owner = value(forKeyPath: String(keyPath[..<dot])) else { return nil }
    let key = String(keyPath[keyPath.index(after: dot)...])
    guard let owner = observableObject(owner) else {
      misuse(
        "Cannot return the value for the key path \"\(keyPath)\" of <\(debugName(of: self))> as a mutable collection",
        because: """
          "\(key)" would be a key of a \(type(of: owner)), which doesn't inherit from \(KeyValueObservable.self)
          """,
        remedy: "Use a key path that ends in a key of such an object.")
    }
    return (owner, key)
  }
}
