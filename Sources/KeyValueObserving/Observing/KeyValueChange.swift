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

  @inline(__always)
  init(
    of path: Unmanaged<ObservedPath>, of object: Unmanaged<KeyValueObject>, kind: NSKeyValueChange = .setting,
    old: ChangedValue = .unasked, new: ChangedValue = .unasked, indexes: IndexBox? = nil, isPrior: Bool = false
  ) {
    lentObject = object
    lentPath = path
    self.kind = kind
    self.old = old
    self.new = new
    indexBox = indexes
    self.isPrior = isPrior
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
#endif
