#if canImport(ObjectiveC)
extension NSObject {
  /// Registers for the path of an observance with Foundation, which calls the observer.
  package func register(
    _ observer: NSObject, _ observance: Observance, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    addObserver(observer, forKeyPath: observance.path.name, options: options, context: context)
  }

  /// Removes the registration of an observance.
  package func unregister(_ observer: NSObject, _ observance: Observance, context: UnsafeMutableRawPointer?) {
    removeObserver(observer, forKeyPath: observance.path.name, context: context)
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
