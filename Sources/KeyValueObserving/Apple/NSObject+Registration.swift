#if canImport(ObjectiveC)
extension NSObject {
  /// Registers for a path with Foundation.
  package func register(
    _ observer: NSObject, for path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    addObserver(observer, forKeyPath: path.name, options: options, context: context)
  }
}
#endif
