#if !canImport(ObjectiveC)
/// One notification, on its way from the change to the observer.
///
/// It is valid for one call: it can't be copied, and refers to values that its creator owns. To store it, create a
/// ``KeptChange``.
@usableFromInline
package struct KeyValueChange: ~Copyable {
  @usableFromInline let lentObject: Unmanaged<KeyValueObject>
  private let lentPath: Unmanaged<ObservedPath>
  @usableFromInline package let kind: NSKeyValueChange
  @usableFromInline package let old: ChangedValue
  @usableFromInline package let new: ChangedValue
  @usableFromInline package let indexBox: IndexBox?
  @usableFromInline package let isPrior: Bool
  @usableFromInline package let isInitial: Bool

  @inline(__always)
  init(
    of path: Unmanaged<ObservedPath>, of object: Unmanaged<KeyValueObject>, kind: NSKeyValueChange = .setting,
    old: ChangedValue = .unasked, new: ChangedValue = .unasked, indexes: IndexBox? = nil, isPrior: Bool = false,
    isInitial: Bool = false
  ) {
    lentObject = object
    lentPath = path
    self.kind = kind
    self.old = old
    self.new = new
    indexBox = indexes
    self.isPrior = isPrior
    self.isInitial = isInitial
  }

  /// The observed object.
  package var object: KeyValueObservable { lentObject.takeUnretainedValue() }

  package var path: ObservedPath { lentPath.takeUnretainedValue() }

  /// The key path as it was registered, or its name if that has become known.
  @usableFromInline package var keyPath: String {
    lentPath._withUnsafeGuaranteedRef { path in
      path.isIncomplete ? path.name(at: object) : path.name
    }
  }

  /// The indexes at which objects of a to-many property were inserted, removed, or replaced.
  package var indexes: IndexSet? { indexBox?.indexes }

  /// Calls `body` with the object, without retaining it.
  @inlinable
  package borrowing func withObject<Result>(_ body: (KeyValueObservable) -> Result) -> Result {
    lentObject._withUnsafeGuaranteedRef { body($0) }
  }
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
      body(
        KeyValueChange(
          of: .passUnretained(path), of: .passUnretained(object), kind: dictionary.kind, old: dictionary.old,
          new: dictionary.new, indexes: dictionary.indexes, isPrior: dictionary.isPrior))
    }
  }

  /// Calls `body` with the initial notification for a path. The value is read now if the options request it.
  package static func lendInitial(
    of path: ObservedPath, of object: KeyValueObservable, options: NSKeyValueObservingOptions,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    let new = options.contains(.new) ? ChangedValue(path.value(of: object)) : .unasked
    withExtendedLifetime((path, object)) {
      body(KeyValueChange(of: .passUnretained(path), of: .passUnretained(object), new: new, isInitial: true))
    }
  }
}
#endif
