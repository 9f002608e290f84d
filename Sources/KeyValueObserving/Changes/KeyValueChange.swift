#if !canImport(ObjectiveC)
/// One notification, as it passes from what found the change to what tells the observer.
///
/// It is lent for the time of a call: it can't be copied, and refers to what its lender holds meanwhile. Who needs it
/// later takes a ``KeptChange`` of it.
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

  /// The object that is observed.
  package var object: KeyValueObservable { lentObject.takeUnretainedValue() }

  package var path: ObservedPath { lentPath.takeUnretainedValue() }

  /// The key path as it was registered, or as its keys are known by now.
  @usableFromInline package var keyPath: String {
    lentPath._withUnsafeGuaranteedRef { path in
      path.isIncomplete ? path.name(at: object) : path.name
    }
  }

  /// Where objects of a to-many property were inserted, removed or replaced.
  package var indexes: IndexSet? { indexBox?.indexes }

  /// Runs `body` with the object, without a reference more.
  @inlinable
  package borrowing func withObject<Result>(_ body: (KeyValueObservable) -> Result) -> Result {
    lentObject._withUnsafeGuaranteedRef { body($0) }
  }
}

// MARK: Notifications that the engine doesn't send itself

extension KeyValueChange {
  /// Calls `body` with the notification that a dictionary describes.
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

  /// Calls `body` with the initial notification for a path, which is read now if the options ask for it.
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
