#if !canImport(ObjectiveC)
/// One notification, on its way from the change to the observer.
///
/// It is valid for one call: it can't be copied, and refers to values that its creator owns. So it consists of addresses,
/// and retains nothing. To store it, create a ``StoredChange``.
@usableFromInline
package struct KeyValueChange: ~Copyable {
  @usableFromInline package let borrowedObject: Unmanaged<KeyValueObject>
  private let borrowedPath: Unmanaged<ObservedPath>
  @usableFromInline package let kind: NSKeyValueChange
  @usableFromInline package let isPrior: Bool
  @usableFromInline package let isInitial: Bool
  @usableFromInline package let old: BorrowedValue
  @usableFromInline package let new: BorrowedValue
  private let borrowedIndexes: Unmanaged<Box<IndexSet>>?

  /// Creates a notification of values that the caller owns. By default it is that a property was set.
  @inline(__always)
  init(
    of path: Unmanaged<ObservedPath>, of object: Unmanaged<KeyValueObject>, kind: NSKeyValueChange = .setting,
    old: BorrowedValue, new: BorrowedValue, indexes: Unmanaged<Box<IndexSet>>? = nil, isPrior: Bool = false,
    isInitial: Bool = false
  ) {
    borrowedObject = object
    borrowedPath = path
    self.kind = kind
    self.old = old
    self.new = new
    borrowedIndexes = indexes
    self.isPrior = isPrior
    self.isInitial = isInitial
  }

  /// Calls `body` with a notification of these values.
  static func lend(
    of path: Unmanaged<ObservedPath>, of object: Unmanaged<KeyValueObject>, kind: NSKeyValueChange = .setting,
    old: ChangedValue = .notRequested, new: ChangedValue = .notRequested, indexes: Box<IndexSet>? = nil,
    isPrior: Bool = false, isInitial: Bool = false, to body: (borrowing KeyValueChange) -> Void
  ) {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        body(
          KeyValueChange(
            of: path, of: object, kind: kind, old: BorrowedValue(old), new: BorrowedValue(new),
            indexes: indexes.map { Unmanaged.passUnretained($0) }, isPrior: isPrior, isInitial: isInitial))
      }
    }
    withExtendedLifetime(indexes) {}
  }

  /// The observed object.
  package var object: KeyValueObservable { borrowedObject.takeUnretainedValue() }

  package var path: ObservedPath { borrowedPath.takeUnretainedValue() }

  /// The key path as it was registered, or its name if that has become known.
  @usableFromInline package var keyPath: String {
    borrowedPath._withUnsafeGuaranteedRef { path in
      path.pending != nil ? path.name(at: object) : path.name
    }
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
        of: .passUnretained(path), of: .passUnretained(object), kind: dictionary.kind, old: dictionary.old,
        new: dictionary.new, indexes: dictionary.indexes, isPrior: dictionary.isPrior, to: body)
    }
  }

  /// Calls `body` with the initial notification for a path. The value is read now if the options request it.
  package static func lendInitial(
    of path: ObservedPath, of object: KeyValueObservable, options: NSKeyValueObservingOptions,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    let new = options.contains(.new) ? ChangedValue(path.value(of: object)) : .notRequested
    withExtendedLifetime((path, object)) {
      lend(of: .passUnretained(path), of: .passUnretained(object), new: new, isInitial: true, to: body)
    }
  }
}
#endif
