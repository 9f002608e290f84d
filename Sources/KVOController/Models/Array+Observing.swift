extension Array where Element: KeyValueObservable {
  /// Registers `observer` with the elements at `indexes`, for changes of the value at `keyPath` of each.
  ///
  /// This adds one registration to each element that the array contains now. The array itself isn't observed, and an
  /// element that leaves the array keeps its registration. Remove registrations from each element, or with
  /// ``removeObserver(_:fromObjectsAt:forKeyPath:context:)``.
  ///
  /// - Parameters:
  ///   - observer: The object whose `observeValue(forKeyPath:of:change:context:)` is called, with the element as the
  ///     object.
  ///   - indexes: The indexes of the elements. An index that isn't in the array traps, and nothing is registered.
  ///   - keyPath: A key path from each element.
  ///   - options: Options that determine what the change dictionaries contain, and when notifications are sent.
  ///   - context: A pointer that is passed to the observer as it is.
  /// - Complexity: Linear in the number of indexes.
  public func addObserver(
    _ observer: KeyValueObservable, toObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    for element in elements(at: indexes) {
      element.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with exactly this key path and
  /// context. An index that isn't in the array traps, and so does a registration that doesn't exist.
  ///
  /// - Complexity: Linear in the number of indexes.
  public func removeObserver(
    _ observer: KeyValueObservable, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    for element in elements(at: indexes) {
      element.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
  }

  /// Removes from each of the elements at `indexes` a registration of `observer` with this key path, whatever its
  /// context; otherwise like ``removeObserver(_:fromObjectsAt:forKeyPath:context:)``.
  public func removeObserver(
    _ observer: KeyValueObservable, fromObjectsAt indexes: IndexSet, forKeyPath keyPath: String
  ) {
    for element in elements(at: indexes) {
      element.removeObserver(observer, forKeyPath: keyPath)
    }
  }

  private func elements(at indexes: IndexSet) -> [Element] {
    requireIndexes(indexes, below: count, of: "an array of \(Element.self)")
    return indexes.map { self[$0] }
  }
}

/// Traps if an index isn't in the array.
func requireIndexes(_ indexes: IndexSet, below count: Int, of array: @autoclosure () -> String) {
  guard let index = indexes.last, index >= count else { return }
  misuse(
    "Cannot take the element at the index \(index) of \(array())",
    because: "the array has \(counted(count, "element"))", remedy: "Check the count first.")
}
