/// A key path of a class, opened so that it can read and set values of any type: one that the class lists in `keyPaths`,
/// or that of an ``Observed`` property.
struct DeclaredKeyPath: Sendable {
  // Without captures, which a class can't list, key paths are immutable.
  nonisolated(unsafe) let keyPath: AnyKeyPath
  /// The class at which it begins.
  let rootType: KeyValueObject.Type
  let valueType: Any.Type
  let value: @Sendable (KeyValueObject) -> Any?
  let assignment: @Sendable (Any?) -> Assignment
  /// The property, if the key path has only one component.
  let component: KeyPathComponent?
}

extension DeclaredKeyPath {
  /// Returns nil if `keyPath` doesn't begin at a class that inherits from `KeyValueObject`.
  init?(_ keyPath: AnyKeyPath) {
    let (rootType, valueType): (Any.Type, Any.Type) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
    func open<Root>(_ root: Root.Type) -> DeclaredKeyPath? {
      func open<Value>(_ value: Value.Type) -> DeclaredKeyPath? {
        guard let rootType = rootType as? KeyValueObject.Type else { return nil }
        return (keyPath as? KeyPath<Root, Value>).map { Self($0, rootType) }
      }
      return open(valueType)
    }
    guard let opened = open(rootType) else { return nil }
    self = opened
  }

  private init<Root, Value>(_ path: KeyPath<Root, Value>, _ rootType: KeyValueObject.Type) {
    keyPath = path
    self.rootType = rootType
    valueType = Value.self
    nonisolated(unsafe) let keyPath = path
    nonisolated(unsafe) let writable = path as? ReferenceWritableKeyPath<Root, Value>
    value = { object in
      (object as? Root).flatMap { unwrapped($0[keyPath: keyPath]) }
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
