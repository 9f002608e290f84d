#if !canImport(ObjectiveC)
/// One notification, as it passes from what found the change to what tells the observer.
@usableFromInline
package struct KeyValueChange {
  @usableFromInline package let object: KeyValueObservable
  @usableFromInline package var keyPath: String
  @usableFromInline package var kind = NSKeyValueChange.setting
  @usableFromInline package var old = ChangedValue.unasked
  @usableFromInline package var new = ChangedValue.unasked
  @usableFromInline package var indexes: IndexSet?
  @usableFromInline package var isPrior = false

  package init(object: KeyValueObservable, keyPath: String) {
    self.object = object
    self.keyPath = keyPath
  }
}
#endif
