#if !canImport(ObjectiveC)
/// One key of a class, with all that its observation needs to know of it.
///
/// The keys of a class live as long as the process, as the class does.
final class Key: Sendable {
  let name: String
  /// The key's place in the tables of its class's objects.
  let index: Int
  /// Set for an `@Observed` property that isn't listed in `keyPaths` too.
  let field: ObservedField?
  /// Whether the class has such a property.
  let isDefined: Bool
  let notifiesAutomatically: Bool
  /// Whether a setter notifies, and what it sets is what observers see.
  let isPlain: Bool
  /// The key paths, each in its components, whose changes change the value of this key.
  let affectingKeyPaths: [[KeyName]]
  /// What else changes the value of this key, each followed by reading it.
  let affectingReads: [@Sendable (KeyValueObject) -> Any?]

  /// Whether nothing but a change of the key itself changes its value.
  var isIndependent: Bool { affectingKeyPaths.isEmpty && affectingReads.isEmpty }

  /// Asks `type` for the key's dependencies and whether it notifies automatically, so no lock may be held.
  init(name: String, index: Int, _ properties: ClassProperties) {
    let type = properties.type
    let override = properties.override(name)
    self.name = name
    self.index = index
    field = override == nil && properties.listed[name] == nil ? properties.field(name) : nil
    isDefined = properties.hasKey(name) || name == "self"
    let customization = KeyCustomization(name, properties, of: type)
    notifiesAutomatically =
      type.automaticallyNotifiesObservers(forKey: name) && customization?.notifiesAutomatically != false
    isPlain = field != nil && notifiesAutomatically
    affectingKeyPaths = type.keyPathsForValuesAffectingValue(forKey: name).union(customization?.affectingNames ?? [])
      .sorted().map { $0.split(separator: ".").map { KeyName(String($0)) } }
    affectingReads = (customization?.affectingReads ?? []) + (override.map { [$0.value] } ?? [])
  }

  /// A property that can't be reached by its name, because the class gives that to another.
  init(shadowed field: ObservedField, index: Int) {
    name = field.name
    self.index = index
    self.field = field
    isDefined = true
    notifiesAutomatically = true
    isPlain = true
    affectingKeyPaths = []
    affectingReads = []
  }

  /// The value, if it is always an object that can be observed, or nil.
  func object(of owner: KeyValueObject) -> KeyValueObject?? {
    guard let field, field.isObject else { return nil }
    return .some(field.object(of: owner))
  }

  /// The value as observers get it: an `@Observed` key is read from its property, every other through `value(forKey:)`.
  func value(of object: KeyValueObject) -> Any? {
    if let field { return field.value(of: object) }
    return object.value(forKey: name).flatMap(flattened)
  }
}
#endif
