#if !canImport(ObjectiveC)
/// One notification, as it passes from what found the change to what tells the observer.
package struct KeyValueChange {
  package let object: KeyValueObservable
  package let keyPath: String
  package var kind = NSKeyValueChange.setting
  package var old = ChangedValue.unasked
  package var new = ChangedValue.unasked
  package var indexes: IndexSet?
  package var isPrior = false

  package init(object: KeyValueObservable, keyPath: String) {
    self.object = object
    self.keyPath = keyPath
  }
}
#endif
