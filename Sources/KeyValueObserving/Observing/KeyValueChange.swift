#if !canImport(ObjectiveC)
/// One notification, as it passes from what found the change to what tells the observer.
///
/// Values are nil where Key-Value Observing has null; an Optional that has a value is given unwrapped.
package struct KeyValueChange {
  package let object: KeyValueObservable
  package let keyPath: String
  package var kind = NSKeyValueChange.setting
  /// The value before the change; the outer nil says that it wasn't asked for.
  package var old: Any??
  /// The value after the change; the outer nil says that it wasn't asked for.
  package var new: Any??
  package var indexes: IndexSet?
  package var isPrior = false

  package init(object: KeyValueObservable, keyPath: String) {
    self.object = object
    self.keyPath = keyPath
  }
}
#endif
