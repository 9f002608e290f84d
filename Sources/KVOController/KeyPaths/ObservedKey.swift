/// One key of a class, with everything that observing it requires. Keys that a class declares are never deallocated,
/// and neither are classes. Another one exists while it is observed.
final class ObservedKey: Sendable {
  let name: String
  /// The field of an `@Observed` property, if observers receive its value.
  let field: ObservedField?
  /// Whether the class declares the key.
  let isDefined: Bool
  let notifiesAutomatically: Bool
  /// The key paths, as keys, whose changes change the value for this key.
  let affectingKeyPaths: [[PathKey]]
  /// Reads the key itself, to follow what its getter reads, as in a class that lists an `@Observed` property or its override.
  let affectingRead: (@Sendable (KeyValueObject) -> Any?)?
  /// Whether its getter is followed when its value is read, because the class lists it and declares no dependencies.
  let isFollowedByName: Bool
  /// The number by which an object finds the observances of the key: the offset of the property that has the key's name, or
  /// the key's own address if there is none.
  var slot: UInt { offset ?? UInt(bitPattern: ObjectIdentifier(self)) }
  private let offset: UInt?
  /// The class whose table has the key, if it is deallocated when it isn't observed.
  private let table: ClassProperties?

  /// Whether the key is read to be followed.
  var isAffectedByReading: Bool { isFollowedByName || affectingRead != nil }

  /// Whether only a change of the key itself changes its value.
  var isIndependent: Bool { affectingKeyPaths.isEmpty && affectingRead == nil && !isFollowedByName }

  /// Whether Foundation observes the key, because the class doesn't declare it for the engine.
  var isOfFoundation: Bool { Self.areUndeclaredOfFoundation && !isDefined && isIndependent }

  /// Whether setters notify, and observers receive the values that are set.
  var isPlain: Bool { field != nil && notifiesAutomatically }

  /// Whether a plain path can lead through the key, or end there: one whose keys are properties that notify automatically and
  /// depend on no other key, and all but the last hold objects that the engine observes.
  func isPlainStep(isLast: Bool) -> Bool {
    guard isPlain, isIndependent, let field, !field.isZeroSized else { return false }
    return isLast || field.isObject
  }

  /// Calls the class to get the key's dependencies and whether it notifies automatically, so no lock may be held.
  init(_ name: String, of properties: ClassProperties) {
    requireNoLock("a class is asked for a key")
    let type = properties.type
    let declared = properties.listed[name]
    self.name = name
    field = declared == nil ? properties.field(name) : nil
    isDefined = properties.hasKey(name) || name == "self"
    table = properties.hasKey(name) ? nil : properties
    notifiesAutomatically = type.automaticallyNotifiesObservers(forKey: name)
    affectingKeyPaths = type.keyPathsForValuesAffectingValue(forKey: name).sorted().map(PathKey.keys(of:))
    isFollowedByName =
      affectingKeyPaths.isEmpty && notifiesAutomatically && declared != nil && properties.field(name) == nil
    // A key path that is listed under the name of an @Observed property is that of an override, or reads another property.
    affectingRead = properties.field(name) != nil ? declared?.value : nil
    offset = Self.offset(of: properties.field(name))
    if let field, field.isZeroSized { DebugNotice.send(aboutUnchanging: name, of: type, field.valueType) }
  }

  /// Creates the key of a property that can't be found by its name, because the name belongs to another property.
  init(shadowed field: ObservedField) {
    name = field.name
    self.field = field
    isDefined = true
    notifiesAutomatically = true
    affectingKeyPaths = []
    isFollowedByName = false
    affectingRead = nil
    table = nil
    offset = Self.offset(of: field)
  }

  private static func offset(of field: ObservedField?) -> UInt? {
    field.flatMap { $0.isZeroSized ? nil : UInt($0.offset) }
  }

  deinit {
    requireNoLock("a key is released")
    table?.removeDeallocatedKey(name, ObjectIdentifier(self))
  }
}
