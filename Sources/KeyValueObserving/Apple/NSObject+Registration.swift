#if canImport(ObjectiveC)
extension NSObject {
  /// Registers for a path with Foundation, which knows nothing but the observer to call.
  package func register(
    _ observer: NSObject, for path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?, receiver: AnyObject
  ) {
    addObserver(observer, forKeyPath: path.name, options: options, context: context)
  }
}

extension ObservedPath {
  /// The path of that name from `object`.
  package static func named(_ name: String, of object: NSObject) -> ObservedPath {
    ObservedPath(name)
  }
}
#endif
