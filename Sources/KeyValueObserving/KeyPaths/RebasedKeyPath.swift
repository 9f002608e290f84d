/// Compares key paths that begin at different classes.
///
/// In Swift, `\Base.name` and `\Derived.name` are different, because their roots are. Appended to a common prefix, they
/// are compared by their components.
///
/// The casts change only the root type. The resulting key paths are never used to read values, so the root isn't relied
/// on.
enum RebasedKeyPath {
  /// The root of the common prefix.
  private struct Holder<Root> {
    var root: Root
  }

  /// A key path that is equal for all key paths with the same components, whatever class they begin at.
  static func canonical(_ keyPath: AnyKeyPath) -> AnyKeyPath {
    // `\.self` has no components to append.
    if type(of: keyPath).rootType == type(of: keyPath).valueType, KeyPathComponents(keyPath)?.isEmpty != false {
      return keyPath
    }
    func open<Value>(_ value: Value.Type) -> AnyKeyPath {
      let rebased = Unmanaged<KeyPath<KeyValueObject, Value>>.fromOpaque(Unmanaged.passUnretained(keyPath).toOpaque())
      return (\Holder<KeyValueObject>.root).appending(path: rebased.takeUnretainedValue())
    }
    let valueType: Any.Type = type(of: keyPath).valueType
    return open(valueType)
  }

  /// Whether `other`, which may begin at a subclass of `Root`, has the same components as `keyPath`.
  static func isSame<Root, Value>(_ keyPath: KeyPath<Root, Value>, _ other: AnyKeyPath) -> Bool {
    guard type(of: other).valueType == Value.self, let root = type(of: other).rootType as? AnyClass,
      root == Root.self || isSubclass(root, of: Root.self)
    else { return false }
    let rebased = unsafeBitCast(other as AnyObject, to: KeyPath<Root, Value>.self)
    let beginning = \Holder<Root>.root
    return beginning.appending(path: keyPath) == beginning.appending(path: rebased)
  }

  private static func isSubclass(_ type: AnyClass, of root: Any.Type) -> Bool {
    var next: AnyClass? = _getSuperclass(type)
    while let type = next {
      if type == root { return true }
      next = _getSuperclass(type)
    }
    return false
  }
}
