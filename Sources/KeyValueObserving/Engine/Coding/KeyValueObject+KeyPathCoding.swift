#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// The properties of the object's class.
  final var properties: ClassProperties {
    slot.borrowedInfo?._withUnsafeGuaranteedRef { $0.keys.properties } ?? ClassProperties.of(self)
  }

  /// The `@Observed` property of that name.
  final func observedField(_ name: String) -> ObservedField? { properties.field(name) }

  final func codedValue(forKeyPath keyPath: String) -> Any? {
    let path = SplitKeyPath(keyPath)
    guard let value = value(forKey: path.first).flatMap(unwrapped) else { return nil }
    return KeyPathReader.value(path.rest, of: value)
  }

  final func setCodedValue(_ value: Any?, forKeyPath keyPath: String) {
    let path = SplitKeyPath(keyPath)
    guard path.all.count > 1 else { return setValue(value, forKey: path.first) }
    if let collectionOperator = path.rest.first(where: { $0.hasPrefix("@") }) {
      misuse(
        "Cannot set the value for the key path \"\(keyPath)\" of <\(debugName(of: self))>",
        because: "a value can't be set through an operator such as \(collectionOperator)",
        remedy: "Set the values to which the operator applies.")
    }
    guard let container = KeyPathReader.value(path.all.dropLast(), of: self) else { return }
    KeyPathReader.set(value, forKey: path.all[path.all.count - 1], of: container)
  }
}
#endif
