#if !canImport(ObjectiveC)
/// A type that can be observed with typed key paths and closures. Only ``KeyValueObject`` conforms.
public protocol _KeyValueCodingAndObserving {}

extension KeyValueObject: _KeyValueCodingAndObserving {}

/// The protocol that declares the methods with typed key paths.
typealias _KeyValueObjectObserving = _KeyValueCodingAndObserving

extension KeyValueObject {
  /// Observes a path with a closure that takes the object, which is an `Object`, and the change.
  final func observation<Object, Value>(
    of path: ObservedPath, options: NSKeyValueObservingOptions,
    _ changeHandler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    NSKeyValueObservation(
      KeyValueClosureObserver(self, path, options) { change in
        guard let object = change.object as? Object else { return }
        changeHandler(object, NSKeyValueObservedChange(change))
      })
  }
}
#endif
