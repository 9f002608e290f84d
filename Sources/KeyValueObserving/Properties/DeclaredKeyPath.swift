/// A key path that a class lists in `keyPaths`, with its types.
struct DeclaredKeyPath: Sendable {
  // Without captures, which a class can't list, key paths are immutable.
  nonisolated(unsafe) let keyPath: AnyKeyPath
  let valueType: Any.Type
  let value: @Sendable (KeyValueObject) -> Any?
  let assignment: @Sendable (Any?) -> Assignment
  /// The property, if the key path has only one component.
  let component: KeyPathComponents.Component?
  /// Whether a key path, perhaps from a subclass, leads to the same property.
  let isSame: @Sendable (AnyKeyPath) -> Bool
}

extension DeclaredKeyPath {
  /// Returns nil if `keyPath` doesn't begin at a class that inherits from `KeyValueObject`.
  init?(_ keyPath: AnyKeyPath) {
    let (rootType, valueType): (Any.Type, Any.Type) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
    func open<Root>(_ root: Root.Type) -> DeclaredKeyPath? {
      func open<Value>(_ value: Value.Type) -> DeclaredKeyPath? {
        (keyPath as? KeyPath<Root, Value>).map { Self($0) }
      }
      return open(valueType)
    }
    guard rootType is KeyValueObject.Type,
      let opened = open(rootType)
    else { return nil }
    self = opened
  }

  private init<Root, Value>(_ path: KeyPath<Root, Value>) {
    keyPath = path
    valueType = Value.self
    nonisolated(unsafe) let keyPath = path
    nonisolated(unsafe) let writable = path as? ReferenceWritableKeyPath<Root, Value>
    value = { object in
      (object as? Root).flatMap { unwrapped($0[keyPath: keyPath]) }
    }
    let components = KeyPathComponents(path)
    component = components?.count == 1 ? components?[0] : nil
    isSame = { RebasedKeyPath.isSame(keyPath, $0) }
    assignment = { value in
      guard let writable else { return .readOnly }
      return Assignment(value) { object, value in
        (object as? Root)?[keyPath: writable] = value
      }
    }
  }
}
