extension KeyValueObject {
  final func codedValue(forKeyPath keyPath: String) -> Any? {
    let keys = PathKey.names(of: keyPath)
    guard let value = value(forKey: keys[0]).flatMap(unwrapped) else { return nil }
    return CodingReader.value(keys.dropFirst(), of: value)
  }

  final func setCodedValue(_ value: Any?, forKeyPath keyPath: String) {
    let keys = PathKey.names(of: keyPath)
    guard keys.count > 1 else { return setValue(value, forKey: keyPath) }
    if let collectionOperator = keys.dropFirst().first(where: { $0.hasPrefix("@") }) {
      misuse(
        "Cannot set the value for the key path \"\(keyPath)\" of <\(debugName(of: self))>",
        because: "a value can't be set through an operator such as \(collectionOperator)",
        remedy: "Set the values to which the operator applies.")
    }
    guard let container = CodingReader.value(keys.dropLast(), of: self) else { return }
    CodingReader.set(value, forKey: keys[keys.count - 1], of: container)
  }

  /// The value for keys of a value that isn't an object, as observers receive it.
  static func value(forKeys keys: [String], of value: Any) -> Any? { CodingReader.value(keys[...], of: value) }
}
