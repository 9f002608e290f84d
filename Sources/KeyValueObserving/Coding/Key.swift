#if !canImport(ObjectiveC)
/// One key of a class, with all that its observation needs to know of it.
///
/// The keys of a class live as long as the process, as the class does.
final class Key: Sendable {
  let name: String
  /// The key's place in the tables of its class's objects.
  let index: Int
  /// Set for an `@Observed` property.
  let field: ObservedField?
  /// Set for a key that the class lists in `keyPaths`; then it goes before the field.
  let declared: DeclaredKeyPath?
  let notifiesAutomatically: Bool
  /// The key paths, each in its components, whose changes change the value of this key.
  let affectingKeyPaths: [[String]]

  /// Asks `type` for the key's dependencies and whether it notifies automatically, so no lock may be held.
  init(
    name: String, index: Int, field: ObservedField?, declared: DeclaredKeyPath?, of type: KeyValueObject.Type
  ) {
    self.name = name
    self.index = index
    self.field = field
    self.declared = declared
    notifiesAutomatically = type.automaticallyNotifiesObservers(forKey: name)
    affectingKeyPaths = type.keyPathsForValuesAffectingValue(forKey: name)
      .sorted().map { $0.split(separator: ".").map(String.init) }
  }

  /// The value as observers get it: an `@Observed` key is read from its property, every other through `value(forKey:)`.
  func value(of object: KeyValueObject) -> Any? {
    if let field, declared == nil { return field.value(of: object) }
    return object.value(forKey: name).flatMap(flattened)
  }
}
#endif
