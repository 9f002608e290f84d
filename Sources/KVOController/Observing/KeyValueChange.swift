/// One notification, on its way from the change to the observer.
///
/// It is valid for one call: it can't be copied, and refers to values that its creator owns. So it consists of addresses,
/// and retains nothing. To store it, create a ``StoredChange``.
@usableFromInline
struct KeyValueChange: ~Copyable {
  /// The observed object; nil if it was deallocated after a change in its `deinit`.
  @usableFromInline let borrowedObject: Unmanaged<KeyValueObservable>?
  /// The observance that is notified.
  @usableFromInline let borrowedObservance: Unmanaged<Observance>
  @usableFromInline let attributes: ChangeAttributes
  @usableFromInline let old: BorrowedValue
  @usableFromInline let new: BorrowedValue
  @usableFromInline let indexes: UnsafePointer<IndexSet>?
  /// Where the new value was stored; nil if it was read later.
  let source: Source?

  /// A property that was replaced.
  struct Source {
    /// The info of the object.
    let info: Unmanaged<ObservationInfo>
    let key: Unmanaged<ObservedKey>
    /// The info's number when the value was stored.
    let counter: UInt32
  }

  /// The observed object; nil if it was deallocated after a change in its `deinit`.
  var object: KeyValueObservable? { borrowedObject?.takeUnretainedValue() }

  /// The key path as it was registered, or its name if that has become known.
  var keyPath: String { path.currentName }

  var path: ObservedPath { borrowedObservance._withUnsafeGuaranteedRef { $0.path } }

  /// Whether the new value was stored with the lock of its object, which guards every read of it.
  var isStoredUnderLock: Bool { source != nil }

  /// Whether the new value is certainly that of this moment. Takes the lock with which it was stored.
  var isCurrent: Bool {
    guard let source else { return false }
    let info = source.info.takeUnretainedValue()
    return info.withLock { info.number == source.counter }
  }
}
