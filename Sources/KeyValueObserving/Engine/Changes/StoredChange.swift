#if !canImport(ObjectiveC)
/// A notification that is stored for later delivery.
package struct StoredChange {
  private let object: KeyValueObservable
  private let path: ObservedPath
  private let kind: NSKeyValueChange
  private let old: ChangedValue
  private let new: ChangedValue
  private let indexes: Box<IndexSet>?
  private let isPrior: Bool
  private let isInitial: Bool

  package init(_ change: borrowing KeyValueChange) {
    object = change.object
    path = change.path
    kind = change.kind
    old = change.old.kept
    new = change.new.kept
    indexes = change.indexBox
    isPrior = change.isPrior
    isInitial = change.isInitial
  }

  /// Calls `body` with the notification.
  package func lend(to body: (borrowing KeyValueChange) -> Void) {
    withExtendedLifetime((object, path)) {
      KeyValueChange.lend(
        of: .passUnretained(path), of: .passUnretained(object), kind: kind, old: old, new: new, indexes: indexes,
        isPrior: isPrior, isInitial: isInitial, to: body)
    }
  }
}
#endif
