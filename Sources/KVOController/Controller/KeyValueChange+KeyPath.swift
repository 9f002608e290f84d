extension KeyValueChange {
  private static let templates = ChangeTemplates(keyPathKey: .keyPathKey)

  /// The change dictionary, with the key path, for handlers of several key paths.
  var dictionaryWithKeyPath: [NSKeyValueChangeKey: Any] { dictionary(by: Self.templates) }
}
