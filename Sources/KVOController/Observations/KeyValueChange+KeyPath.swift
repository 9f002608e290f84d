extension KeyValueChange {
  #if canImport(ObjectiveC)
  /// The change dictionary, with the key path, for handlers of several key paths.
  var dictionaryWithKeyPath: [NSKeyValueChangeKey: Any] {
    var dictionary = dictionary
    dictionary[.keyPathKey] = keyPath
    return dictionary
  }
  #else
  private static let templates = ChangeTemplates(keyPathKey: .keyPathKey)

  /// The change dictionary, with the key path, for handlers of several key paths.
  var dictionaryWithKeyPath: [NSKeyValueChangeKey: Any] { dictionary(by: Self.templates) }
  #endif
}
