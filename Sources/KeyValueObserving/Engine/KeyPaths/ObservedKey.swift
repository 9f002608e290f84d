#if !canImport(ObjectiveC)
/// One key of a class, with everything that observing it requires.
///
/// Keys are never deallocated, and neither are classes.
final class ObservedKey: Sendable {
  let name: String
  /// The key's index in the tables of the class's objects.
  let index: Int
  /// The field of an `@Observed` property that isn't listed in `keyPaths`.
  let field: ObservedField?
  /// Whether the class has such a property.
  let isDefined: Bool
  let notifiesAutomatically: Bool
  /// The field, if setters notify automatically, and observers receive the values that are set.
  let plainField: Unmanaged<ObservedField>?
  /// The offset of the plain field in an object, as a number of 14 bits; 0 if there is none, if it has no size, or if
  /// the offset is very large.
  let plainOffset: UInt16
  /// The key paths, as keys, whose changes change the value for this key.
  let affectingKeyPaths: [[HashedKey]]
  /// Other values whose changes change the value for this key, each followed by reading it.
  let affectingReads: [@Sendable (KeyValueObject) -> Any?]

  /// Whether only a change of the key itself changes its value.
  var isIndependent: Bool { affectingKeyPaths.isEmpty && affectingReads.isEmpty }

  /// Calls the class to get the key's dependencies and whether it notifies automatically, so no lock may be held.
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
    let plainField = notifiesAutomatically ? field : nil
    self.plainField = plainField.map(Unmanaged.passUnretained)
    plainOffset = Self.offset(of: plainField)
    affectingKeyPaths = type.keyPathsForValuesAffectingValue(forKey: name).union(customization?.affectingNames ?? [])
      .sorted().map { $0.split(separator: ".").map { HashedKey(String($0)) } }
    affectingReads = (customization?.affectingReads ?? []) + (override.map { [$0.value] } ?? [])
  }

  /// Creates the key of a property that can't be found by its name, because the name belongs to another property.
  init(shadowed field: ObservedField, index: Int) {
    name = field.name
    self.index = index
    self.field = field
    isDefined = true
    notifiesAutomatically = true
    plainField = .passUnretained(field)
    plainOffset = Self.offset(of: field)
    affectingKeyPaths = []
    affectingReads = []
  }

  private static func offset(of plainField: ObservedField?) -> UInt16 {
    guard let plainField, !plainField.isZeroSized, plainField.offset < 1 << 14 else { return 0 }
    return UInt16(plainField.offset)
  }

  /// The value, if the property's type is an observable class or an Optional of one; `.some(nil)` if that value is nil.
  func object(of owner: KeyValueObject) -> KeyValueObject?? {
    guard let field, field.isObject else { return nil }
    return .some(field.object(of: owner))
  }

  /// The value that observers receive: an `@Observed` key is read from its property, any other with `value(forKey:)`.
  func value(of object: KeyValueObject) -> Any? {
    if let field { return field.value(of: object) }
    return object.value(forKey: name).flatMap(unwrapped)
  }
}

/// The dependencies of a key that a class declares with typed key paths.
private struct KeyCustomization {
  let notifiesAutomatically: Bool
  /// The affecting keys whose names are known, so that their own dependencies are followed too.
  private(set) var affectingNames: Set<String> = []
  /// All other affecting key paths, which are followed by reading them.
  private(set) var affectingReads: [@Sendable (KeyValueObject) -> Any?] = []

  /// Calls `type`. Returns nil if it declares nothing with typed key paths, or if the key's own key path isn't known.
  init?(_ name: String, _ properties: ClassProperties, of type: KeyValueObject.Type) {
    guard let type = type as? any NSKeyValueObservingCustomization.Type,
      let keyPath = ClassKeyPaths.of(properties).keyPath(of: name)
    else { return nil }
    notifiesAutomatically = type.automaticallyNotifiesObservers(for: keyPath)
    for affecting in type.keyPathsAffectingValue(for: keyPath) {
      if let path = ClassKeyPaths.of(properties).path(of: affecting)?.named {
        affectingNames.insert(path.name)
      } else if let declared = DeclaredKeyPath(affecting) {
        affectingReads.append(declared.value)
      } else {
        misuse(
          "Cannot let the key path \(KeyPathNaming.text(of: affecting)) affect the key \"\(name)\" of \(type)",
          because: "it doesn't begin at a class that inherits from KeyValueObject", remedy: "Begin it at \(type).")
      }
    }
  }
}
#endif
