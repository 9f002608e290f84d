#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// The object to which the last key of `keyPath` belongs, and that key; nil if the path meets nil.
  final func toManyOwner(_ keyPath: String) -> (KeyValueObject, key: String)? {
    guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
    guard let owner = value(forKeyPath: String(keyPath[..<dot])) else { return nil }
    let key = String(keyPath[keyPath.index(after: dot)...])
    guard let owner = owner as? KeyValueObject else {
      misuse(
        """
        [<\(type(of: owner))> mutableArrayValueForKey:]: the key \(key) of the key path \(keyPath) of <\(name(self))> \
        can't be mutated with notifications. Its owner must be an object that descends from KeyValueObject.
        """)
    }
    return (owner, key)
  }
}
#endif
