/// Tells whether key paths mean the same property, whatever class each of them begins at.
enum RebasedKeyPath {
  /// Something that key paths of one root lead into, so that key paths from there can be compared.
  private struct Holder<Root> {
    var root: Root
  }

  /// Whether `other`, which may begin at a subclass of `Root`, means just the property that `keyPath` does.
  ///
  /// Swift holds `\Base.name` and `\Derived.name` to be different, because their roots are. Behind a common beginning
  /// they are compared by what they lead through.
  ///
  /// The cast changes only the root that the type names. Nothing is ever read through the key path that comes of it, so
  /// that root is never relied on.
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
