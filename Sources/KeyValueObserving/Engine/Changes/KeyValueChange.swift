#if !canImport(ObjectiveC)
/// One notification, on its way from the change to the observer.
///
/// It is valid for one call: it can't be copied, and refers to values that its creator owns. So it consists of addresses,
/// and retains nothing. To store it, create a ``StoredChange``.
@usableFromInline
package struct KeyValueChange: ~Copyable {
  @usableFromInline package let borrowedObject: Unmanaged<KeyValueObject>
  @usableFromInline package let borrowedPath: Unmanaged<ObservedPath>
  @usableFromInline package var attributes = ChangeAttributes.setting
  @usableFromInline package let old: BorrowedValue
  @usableFromInline package let new: BorrowedValue
  @usableFromInline var borrowedIndexes: Unmanaged<Box<IndexSet>>?

  /// Calls `body` with a notification of these values.
  static func lend(
    of path: Unmanaged<ObservedPath>, of object: Unmanaged<KeyValueObject>, _ attributes: ChangeAttributes,
    old: ChangedValue = .notRequested, new: ChangedValue = .notRequested, indexes: Box<IndexSet>? = nil,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        body(
          KeyValueChange(
            borrowedObject: object, borrowedPath: path, attributes: attributes, old: BorrowedValue(old),
            new: BorrowedValue(new), borrowedIndexes: indexes.map { Unmanaged.passUnretained($0) }))
      }
    }
    withExtendedLifetime(indexes) {}
  }

  /// The observed object.
  package var object: KeyValueObservable { borrowedObject.takeUnretainedValue() }

  package var path: ObservedPath { borrowedPath.takeUnretainedValue() }

  /// The key path as it was registered, or its name if that has become known.
  @usableFromInline package var keyPath: String {
    // The path, which all objects of the class share, isn't retained.
    borrowedPath._withUnsafeGuaranteedRef { $0.isIncomplete ? path.name(at: object) : $0.name }
  }

  /// Whether the path's own name is the key path, and there are no indexes.
  @inlinable package var hasOnlyPath: Bool {
    borrowedIndexes == nil && !borrowedPath._withUnsafeGuaranteedRef { $0.isIncomplete }
  }

  /// The indexes at which objects of a to-many property were inserted, removed, or replaced.
  package var indexes: IndexSet? { indexBox?.value }

  @usableFromInline package var indexBox: Box<IndexSet>? { borrowedIndexes?.takeUnretainedValue() }
}

// MARK: Creating notifications outside the engine

extension KeyValueChange {
  /// Calls `body` with the notification that a change dictionary describes.
  package static func lend(
    _ dictionary: [NSKeyValueChangeKey: Any], of path: ObservedPath, of object: KeyValueObservable,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    let dictionary = ChangeDictionary(dictionary)
    withExtendedLifetime((path, object)) {
      lend(
        of: .passUnretained(path), of: .passUnretained(object), dictionary.attributes(), old: dictionary.old,
        new: dictionary.new, indexes: dictionary.indexes, to: body)
    }
  }

  /// Calls `body` with the initial notification for a path. The value is read now if the options request it.
  package static func lendInitial(
    of path: ObservedPath, of object: KeyValueObservable, options: NSKeyValueObservingOptions,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    let new = options.contains(.new) ? ChangedValue(path.value(of: object)) : .notRequested
    withExtendedLifetime((path, object)) {
      lend(of: .passUnretained(path), of: .passUnretained(object), .initial, new: new, to: body)
    }
  }
}
#endif
