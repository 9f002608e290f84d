#if !canImport(ObjectiveC)
/// A token that `observe(_:options:changeHandler:)` returns. The observation ends when the token is invalidated or
/// released.
///
/// The token and the object don't retain each other; either can be deallocated first.
public class NSKeyValueObservation: NSObject {
  private let observance: ClosureObservance

  fileprivate init(_ observance: ClosureObservance) {
    self.observance = observance
    super.init()
  }

  deinit {
    observance.end()
  }

  /// Ends the observation. Does nothing if it has ended. You can call it on any thread, and from inside the handler.
  ///
  /// The handler is released with the token.
  public func invalidate() {
    observance.end()
  }
}

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
    let observance = ClosureObservance(path, options: options) { change in
      guard let object = change.object as? Object else { return }
      changeHandler(object, NSKeyValueObservedChange(change))
    }
    observance.begin(at: self)
    return NSKeyValueObservation(observance)
  }
}
#endif
