extension KeyPath {
  /// Reads the value at the end of the key path; nil if a forced step is nil, where Swift traps.
  package var reader: (Root) -> Value? {
    guard KeyPathComponents.areGettersUnderstood, let components = KeyPathComponents(self),
      components.contains(where: { $0.kind == .optionalForce })
    else { return { $0[keyPath: self] } }
    return { root in
      // The components refer to the memory of the key path object.
      guard let value = withExtendedLifetime(self, { components.value(from: root) }) else { return nil }
      return value as? Value
    }
  }
}
