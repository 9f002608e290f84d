/// A notification that is stored for later delivery.
package struct StoredChange {
  private let object: KeyValueObservable
  private let observance: LockedObject
  private let path: ObservedPath
  private let attributes: ChangeAttributes
  private let old: ChangedValue
  package var new: ChangedValue
  private let indexes: IndexSet?

  package init(_ change: borrowing KeyValueChange) {
    object = change.object
    observance = change.borrowedObservance.takeUnretainedValue()
    path = change.path
    attributes = change.attributes
    old = change.old.kept
    new = change.new.kept
    indexes = change.indexes?.pointee
  }

  /// Calls `body` with the notification.
  package func lend(to body: (borrowing KeyValueChange) -> Void) {
    withExtendedLifetime((object, observance, path)) {
      KeyValueChange.lend(
        of: .passUnretained(object), to: .passUnretained(observance), .passUnretained(path), attributes, old: old,
        new: new, indexes: indexes, body)
    }
  }
}

extension KeyValueChange {
  /// Calls `body` with a notification of these values, whose references the caller retains.
  static func lend(
    of object: Unmanaged<KeyValueObservable>, to observance: Unmanaged<LockedObject>, _ path: Unmanaged<ObservedPath>,
    _ attributes: ChangeAttributes, old: ChangedValue, new: ChangedValue, indexes: IndexSet?,
    _ body: (borrowing KeyValueChange) -> Void
  ) {
    func lend(_ indexes: UnsafePointer<IndexSet>?) {
      withUnsafePointer(to: old) { old in
        withUnsafePointer(to: new) { new in
          body(
            KeyValueChange(
              borrowedObject: object, borrowedObservance: observance, borrowedPath: path, attributes: attributes,
              old: BorrowedValue(old), new: BorrowedValue(new), indexes: indexes, source: nil))
        }
      }
    }
    if let indexes { withUnsafePointer(to: indexes) { lend($0) } } else { lend(nil) }
  }
}
