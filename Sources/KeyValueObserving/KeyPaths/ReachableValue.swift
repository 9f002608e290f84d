extension KeyPath {
  /// The value at the end of the key path; nil if a forced step is nil, where Swift traps.
  package func reachableValue(from root: Root) -> Value? {
    guard KeyPathComponents.areGettersUnderstood, let components = KeyPathComponents(self),
      components.contains(where: { $0.kind == .optionalForce })
    else { return root[keyPath: self] }
    // The components refer to the memory of the key path object.
    guard let value = withExtendedLifetime(self, { components.value(from: root) }) else { return nil }
    return value as? Value
  }
}
