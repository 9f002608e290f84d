// How a notification is made. That of a direct change is made in DirectChange, from the addresses of both values.

extension KeyValueChange {
  /// Notifies an observance of a change with these values.
  package static func lend(
    to observance: Observance, of root: KeyValueObservable, _ attributes: ChangeAttributes,
    old: ChangedValue = .notRequested, new: ChangedValue = .notRequested, indexes: IndexSet? = nil
  ) {
    withExtendedLifetime((root, observance.path)) {
      lend(
        of: .passUnretained(root), to: .passUnretained(observance), .passUnretained(observance.path), attributes,
        old: old,
        new: new, indexes: indexes, observance.send)
    }
  }

  /// Calls `body` with a notification of these values, whose references the caller retains.
  static func lend(
    of object: Unmanaged<KeyValueObservable>?, to observance: Unmanaged<Observance>, _ path: Unmanaged<ObservedPath>,
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
