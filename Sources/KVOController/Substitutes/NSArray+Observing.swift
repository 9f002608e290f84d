#if !canImport(ObjectiveC)
extension NSArray {
  /// Registers `observer` with the elements at `indexes`, for changes of the value at `keyPath` of each, as the method of a
  /// Swift array does: the array itself isn't observed, and an element that leaves it keeps its registration.
  ///
  /// An index that isn't in the array, or whose element isn't a ``KeyValueObject``, traps, and nothing is registered.
  ///
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
