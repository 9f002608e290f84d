// How a notification is made. That of a direct change is made in DirectChange, from the addresses of both values.

extension KeyValueChange {
  /// Notifies an observance of a change with these values.
  static func lend(
    to observance: Observance, of root: KeyValueObservable, _ attributes: ChangeAttributes,
    old: ChangedValue = .notRequested, new: ChangedValue = .notRequested, indexes: IndexSet? = nil
  ) {
    lend(to: observance, of: root, attributes, old: old, new: new, indexes: indexes, observance.send)
  }

  /// Calls `body` with the notification of an observance.
  ///
  /// - Parameter root: The observed object; nil if it was deallocated after a change in its `deinit`.
  static func lend(
    to observance: Observance, of root: KeyValueObservable?, _ attributes: ChangeAttributes,
    old: ChangedValue = .notRequested, new: ChangedValue = .notRequested, indexes: IndexSet? = nil,
    _ body: (borrowing KeyValueChange) -> Void
  ) {
    func lend(_ indexes: UnsafePointer<IndexSet>?) {
      withUnsafePointer(to: old) { old in
        withUnsafePointer(to: new) { new in
          body(
            KeyValueChange(
              borrowedObject: root.map(Unmanaged.passUnretained), borrowedObservance: .passUnretained(observance),
              attributes: attributes, old: BorrowedValue(old), new: BorrowedValue(new), indexes: indexes, source: nil))
        }
      }
    }
    withExtendedLifetime((root, observance)) {
      if let indexes { withUnsafePointer(to: indexes) { lend($0) } } else { lend(nil) }
    }
  }
}
