#if canImport(ObjectiveC)
extension NSObject {
  /// Registers for a path with Foundation, which calls the observer. The receiver isn't used.
  package func register(
    _ observer: NSObject, for path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?, receiver: AnyObject
  ) {
    addObserver(observer, forKeyPath: path.name, options: options, context: context)
  }

  /// Removes a registration that ``register(_:for:options:context:receiver:)`` added.
  package func unregister(_ observer: NSObject, for path: ObservedPath, context: UnsafeMutableRawPointer?) {
    removeObserver(observer, forKeyPath: path.name, context: context)
  }
}

extension ObservedPath {
  /// The path of that name from `object`.
  package static func named(_ name: String, of object: NSObject) -> ObservedPath {
    ObservedPath(name)
  }

  /// The value at the end of the path; nil if a step is nil.
  package func value(of root: NSObject) -> Any? {
    if let read { return read(root) }
    return root.value(forKeyPath: name)
  }
}
#endif
