/// A notification that is stored for later delivery.
struct StoredChange {
  private let object: KeyValueObservable?
  private let attributes: ChangeAttributes
  private let old: ChangedValue
  var new: ChangedValue
  private let indexes: IndexSet?

  /// - Parameter retainsObject: Whether to retain the observed object, which an object in its `deinit` must not be.
  init(_ change: borrowing KeyValueChange, retainsObject: Bool) {
    object = retainsObject ? change.object : nil
    attributes = change.attributes
    old = change.old.kept
    new = change.new.kept
    indexes = change.indexes?.pointee
  }

  /// Calls `body` with the notification.
  func lend(of observance: Observance, to body: (borrowing KeyValueChange) -> Void) {
    KeyValueChange.lend(to: observance, of: object, attributes, old: old, new: new, indexes: indexes, body)
  }
}
