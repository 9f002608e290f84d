#if !canImport(ObjectiveC)
extension NSArray {
  /// Registers `observer` with the elements at `indexes`, for changes of the value at `keyPath` of each.
  ///
  /// This adds one registration to each element that the array contains now. The array itself isn't observed, and an
  /// element that leaves the array keeps its registration. Remove registrations from each element, or with
  /// ``removeObserver(_:fromObjectsAt:forKeyPath:context:)``.
  ///
  /// - Parameters:
  ///   - observer: The object whose `observeValue(forKeyPath:of:change:context:)` is called, with the
  ///     element as the object.
  ///   - indexes: The indexes of the elements. An index that isn't in the array, or whose element isn't a
  ///     ``KeyValueObject``, traps, and nothing is registered.
  ///   - keyPath: A key path from each element.
  ///   - options: Options that determine what the change dictionaries contain, and when notifications are sent.
  ///   - context: A pointer that is passed to the observer as it is.
  /// - Complexity: Linear in the number of indexes.
  public func addObserver(
    _ observer: KeyValueObject, toObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    for object in observableObjects(at: indexes) {
      object.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with exactly this key path and
  /// context. An index that isn't in the array traps, and so does a registration that doesn't exist.
  ///
  /// - Complexity: Linear in the number of indexes.
  public func removeObserver(
    _ observer: KeyValueObject, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    for object in observableObjects(at: indexes) {
      object.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with this key path, whatever its
  /// context; otherwise like ``removeObserver(_:fromObjectsAt:forKeyPath:context:)``.
  public func removeObserver(_ observer: KeyValueObject, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String) {
    for object in observableObjects(at: indexes) {
      object.removeObserver(observer, forKeyPath: keyPath)
    }
  }

  private func observableObjects(at indexes: IndexSet) -> [KeyValueObject] {
    requireIndexes(indexes, below: count, of: "<\(debugName(of: self))>")
    return indexes.map { index in
      guard let object = object(at: index) as? KeyValueObject else {
        misuse(
          "Cannot observe the element at the index \(index) of <\(debugName(of: self))>",
          because: "it is of type \(type(of: object(at: index))), which doesn't inherit from KeyValueObject",
          remedy: "Leave its index out.")
      }
      return object
    }
  }
}
#endif
