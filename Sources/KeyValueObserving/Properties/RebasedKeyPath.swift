/// Compares key paths that begin at different classes.
///
/// Swift holds `\Base.name` and `\Derived.name` to be different, because their roots are. Behind a common beginning they
/// are compared by what they lead through.
///
/// The casts change only the root that the type names. Nothing is ever read through the key paths that come of them, so
/// that root is never relied on.
enum RebasedKeyPath {
  /// Something that all key paths lead into, so that they can be compared.
  private struct Holder<Root> {
    var root: Root
  }

  /// A key path that is equal for all key paths that lead through the same, whatever class they begin at.
  static func canonical(_ keyPath: AnyKeyPath) -> AnyKeyPath {
    // Nothing can be appended of `\.self`.
    if type(of: keyPath).rootType == type(of: keyPath).valueType, KeyPathComponents(keyPath)?.isEmpty != false {
      return keyPath
    }
    func open<Value>(_ value: Value.Type) -> AnyKeyPath {
      let rebased = Unmanaged<KeyPath<KeyValueObject, Value>>.fromOpaque(Unmanaged.passUnretained(keyPath).toOpaque())
      return (\Holder<KeyValueObject>.root).appending(path: rebased.takeUnretainedValue())
    }
    return _openExistential(type(of: keyPath).valueType, do: open)
  }

  /// Whether `other`, which may begin at a subclass of `Root`, means just the property that `keyPath` does.
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
