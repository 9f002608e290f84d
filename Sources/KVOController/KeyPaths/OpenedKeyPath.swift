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
    let components = KeyPathComponent.all(of: path)
    nonisolated(unsafe) let readForced = components?.haveForcedStep == true ? path.reader : nil
    nonisolated(unsafe) let writable = path as? ReferenceWritableKeyPath<Root, Value>
    value = { object in
      guard let root = object as? Root else { return nil }
      return if let readForced { readForced(root).flatMap { unwrapped($0) } } else { unwrapped(root[keyPath: keyPath]) }
    }
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
