#if !canImport(ObjectiveC)
/// A notification that is stored for later delivery.
package struct StoredChange {
  private let object: KeyValueObservable
  private let path: ObservedPath
  private let attributes: ChangeAttributes
  private let old: ChangedValue
  private let new: ChangedValue
  private let indexes: Box<IndexSet>?

  package init(_ change: borrowing KeyValueChange) {
    object = change.object
    path = change.path
    attributes = change.attributes
    old = change.old.kept
    new = change.new.kept
    indexes = change.indexBox
  }

  /// Calls `body` with the notification.
  package func lend(to body: (borrowing KeyValueChange) -> Void) {
    withExtendedLifetime((object, path)) {
      KeyValueChange.lend(
        of: .passUnretained(path), of: .passUnretained(object), attributes, old: old, new: new, indexes: indexes,
        to: body)
    }
  }
}
#endif
