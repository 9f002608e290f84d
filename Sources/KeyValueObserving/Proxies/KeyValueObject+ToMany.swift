extension KeyValueObject {
  /// The object to which the last key of `keyPath` belongs, and that key; nil if a step on the way is nil.
  final func toManyOwner(_ keyPath: String) -> (KeyValueObservable, key: String)? {
    guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
    guard let owner = value(forKeyPath: String(keyPath[..<dot])) else { return nil }
    let key = String(keyPath[keyPath.index(after: dot)...])
    guard let owner = observableObject(owner) else {
      misuse(
        "Cannot give the value for the key path \"\(keyPath)\" of <\(name(self))> as a mutable collection",
        because: """
          "\(key)" would be a key of a \(type(of: owner)), which doesn't descend from \(KeyValueObservable.self)
          """,
        remedy: "Let the key path lead to such an object, and to a key of it.")
    }
    return (owner, key)
  }
}
