extension Array where Element: KeyValueObservable {
  /// Registers `observer` with the elements at `indexes`, for changes of the value at `keyPath` of each.
  ///
  /// It is one registration with each of the elements that are there now: the array is not observed, and an element
  /// stays registered with when it is no longer in the array. Each is removed by itself or by
  /// ``removeObserver(_:fromObjectsAt:forKeyPath:context:)``.
  ///
  /// - Parameters:
  ///   - observer: Whose `observeValue(forKeyPath:of:change:context:)` is called, with the element as the object.
  ///   - indexes: The indexes of the elements; one that is not in the array stops the process, and nothing is
  ///     registered.
  ///   - keyPath: A key path from each element.
  ///   - options: What the change dictionaries hold, and when notifications are sent.
  ///   - context: Handed to the observer as it is.
  public func addObserver(
    _ observer: KeyValueObservable, toObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    for element in elements(at: indexes) {
      element.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with just this key path and context.
  ///
  /// Removing what is not registered is a mistake that stops the process.
  public func removeObserver(
    _ observer: KeyValueObservable, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    for element in elements(at: indexes) {
      element.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with that key path, whatever its
  /// context.
  ///
  /// Removing what is not registered is a mistake that stops the process.
  public func removeObserver(
    _ observer: KeyValueObservable, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String
  ) {
    for element in elements(at: indexes) {
      element.removeObserver(observer, forKeyPath: keyPath)
    }
  }

  private func elements(at indexes: IndexSet) -> [Element] {
    if let index = indexes.last, index >= count {
      misuse(
        "Cannot take the element at the index \(index) of an array of \(Element.self)",
        because: "the array has \(count) elements", remedy: "Check the count first.")
    }
    return indexes.map { self[$0] }
  }
}
