/// A notification that is stored for later delivery.
struct StoredChange {
  private let object: KeyValueObservable?
  private let attributes: ChangeAttributes
  private let old: ChangedValue
  private var new: ChangedValue
  private let indexes: Box<IndexSet>?
  /// For an observance of all keys; threads that set different objects would contend for the key's count of references.
  private let key: ObservedKey?

  /// - Parameters:
  ///   - retainsObject: Whether to retain the observed object, which an object in its `deinit` must not be.
  ///   - keepsNew: Whether to keep the new value; if not, it is read later.
  init(_ change: borrowing KeyValueChange, retainsObject: Bool, keepsNew: Bool) {
    object = retainsObject ? change.object : nil
    attributes = change.attributes
    old = change.old.kept
    new = keepsNew ? change.new.kept : .notRequested
    indexes = change.boxedIndexes
    key = change.borrowedObservance._withUnsafeGuaranteedRef { $0.path.isOfAllKeys } ? change.key : nil
  }

  /// The same with another new value.
  func with(_ new: ChangedValue) -> StoredChange {
    var change = self
    change.new = new
    return change
  }

  func lend(of observance: Observance, to body: (borrowing KeyValueChange) -> Void) {
    KeyValueChange.lend(to: observance, of: object, attributes, old: old, new: new, indexes: indexes, key: key, body)
  }
}
