/// One notification, on its way from the change to the observer.
///
/// It is valid for one call: it can't be copied, and refers to values that its creator owns. So it consists of addresses,
/// and retains nothing. To store it, create a ``StoredChange``.
@usableFromInline
package struct KeyValueChange: ~Copyable {
  /// The observed object; nil if it was deallocated after a change in its `deinit`.
  @usableFromInline package let borrowedObject: Unmanaged<KeyValueObservable>?
  /// The observance that is notified.
  @usableFromInline package let borrowedObservance: Unmanaged<Observance>
  @usableFromInline package let attributes: ChangeAttributes
  @usableFromInline package let old: BorrowedValue
  @usableFromInline package let new: BorrowedValue
  @usableFromInline package let indexes: UnsafePointer<IndexSet>?
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
  package var object: KeyValueObservable? { borrowedObject?.takeUnretainedValue() }

  /// The key path as it was registered, or its name if that has become known.
  package var keyPath: String { path.currentName }

  package var path: ObservedPath { borrowedObservance._withUnsafeGuaranteedRef { $0.path } }

  /// Whether the new value was stored with the lock of its object, which guards every read of it.
  package var isStoredUnderLock: Bool { source != nil }

  /// Whether the new value is certainly that of this moment. Takes the lock with which it was stored.
  package var isCurrent: Bool {
    guard let source else { return false }
    let info = source.info.takeUnretainedValue()
    return info.withLock { info.number == source.counter }
  }
}
