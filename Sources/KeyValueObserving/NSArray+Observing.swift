#if !canImport(ObjectiveC)
extension NSArray {
  /// Registers `observer` with the elements at `indexes`, for changes of the value at `keyPath` of each.
  ///
  /// It is one registration with each of the elements that are there now: the array is not observed, and an element
  /// stays registered with when it is no longer in the array. Each is removed by itself or by
  /// ``removeObserver(_:fromObjectsAt:forKeyPath:context:)``. An element that doesn't descend from ``KeyValueObject``
  /// stops the process, as does an index that is not in the array; then nothing is registered.
  ///
  /// - Parameters:
  ///   - observer: Whose ``KeyValueObject/observeValue(forKeyPath:of:change:context:)`` is called, with the element as
  ///     the object.
  ///   - indexes: The indexes of the elements.
  ///   - keyPath: A key path from each element.
  ///   - options: What the change dictionaries hold, and when notifications are sent.
  ///   - context: Handed to the observer as it is.
  public func addObserver(
    _ observer: KeyValueObject, toObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    for object in observableObjects(at: indexes) {
      object.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with just this key path and context.
  ///
  /// Removing what is not registered is a mistake that stops the process.
  public func removeObserver(
    _ observer: KeyValueObject, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    for object in observableObjects(at: indexes) {
      object.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with that key path, whatever its
  /// context.
  ///
  /// Removing what is not registered is a mistake that stops the process.
  public func removeObserver(_ observer: KeyValueObject, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String) {
    for object in observableObjects(at: indexes) {
      object.removeObserver(observer, forKeyPath: keyPath)
    }
  }

  private func observableObjects(at indexes: IndexSet) -> [KeyValueObject] {
    if let index = indexes.last, index >= count {
      misuse(
        "Cannot take the element at the index \(index) of <\(name(self))>",
        because: "the array has \(count) elements", remedy: "Check the count first.")
    }
    return indexes.map { index in
      guard let object = object(at: index) as? KeyValueObject else {
        misuse(
          "Cannot observe the element at the index \(index) of <\(name(self))>",
          because: "it is of type \(type(of: object(at: index))), which doesn't descend from KeyValueObject",
          remedy: "Leave its index out.")
      }
      return object
    }
  }
}
#endif
