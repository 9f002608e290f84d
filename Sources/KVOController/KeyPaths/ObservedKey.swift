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

/// A key of a path.
struct PathKey: Sendable {
  let text: String
  /// The property that a step of a typed key path means; nil for a name, which means what the object's class calls so.
  let property: ObservedField?

  init(_ text: String, property: ObservedField? = nil) {
    self.text = text
    self.property = property
  }

  /// Whether this is the name of a collection operator.
  var isOperator: Bool { text.utf8.first == UInt8(ascii: "@") }

  static func keys(of keyPath: String) -> [PathKey] { names(of: keyPath).map { PathKey($0) } }

  static func names(of keyPath: String) -> [String] {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return [keyPath] }
    return keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Keys with equal texts are equal.
extension PathKey: Equatable {
  static func == (left: PathKey, right: PathKey) -> Bool { left.text == right.text }
}

/// A key path of a class, opened so that it can read and set values of any type: one that the class lists in `keyPaths`,
/// or that of an ``Observed`` property.
final class OpenedKeyPath: Sendable {
  // Without captures, which a class can't list, key paths are immutable.
  nonisolated(unsafe) let keyPath: AnyKeyPath
  let rootType: KeyValueObject.Type
  let valueType: Any.Type
  let value: @Sendable (KeyValueObject) -> Any?
  let assignment: @Sendable (Any?) -> Assignment
  /// The property, if the key path has only one component.
  let component: KeyPathComponent?

  /// Returns nil if `keyPath` doesn't begin at a class that inherits from `KeyValueObject`.
  static func of(_ keyPath: AnyKeyPath) -> OpenedKeyPath? {
    requireNoLock("a key path is declared")
    let (rootType, valueType): (Any.Type, Any.Type) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
    func open<Root>(_ root: Root.Type) -> OpenedKeyPath? {
      func open<Value>(_ value: Value.Type) -> OpenedKeyPath? {
        guard let rootType = rootType as? KeyValueObject.Type else { return nil }
        return (keyPath as? KeyPath<Root, Value>).map { OpenedKeyPath($0, rootType) }
      }
      return open(valueType)
    }
    return open(rootType)
  }

  private init<Root, Value>(_ path: KeyPath<Root, Value>, _ rootType: KeyValueObject.Type) {
    keyPath = path
    self.rootType = rootType
    valueType = Value.self
    nonisolated(unsafe) let keyPath = path
    nonisolated(unsafe) let writable = path as? ReferenceWritableKeyPath<Root, Value>
    value = { object in
      if let root = object as? Root { unwrapped(root[keyPath: keyPath]) } else { nil }
    }
    let components = KeyPathComponent.all(of: path)
    component = components?.count == 1 ? components?[0] : nil
    assignment = { value in
      guard let writable else { return .readOnly }
      return Assignment(value) { object, value in
        (object as? Root)?[keyPath: writable] = value
      }
    }
  }

  /// Whether a key path, perhaps from a subclass, leads to the same property.
  func isSame(as other: AnyKeyPath) -> Bool {
    guard type(of: other).valueType == valueType, let root = type(of: other).rootType as? AnyClass else { return false }
    return superclasses(from: root).contains { $0 == rootType }
      && ObservedPath.canonical(keyPath) == ObservedPath.canonical(other)
  }
}
