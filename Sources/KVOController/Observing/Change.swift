/// One notification, on its way from the change to the observer.
///
/// It is valid for one call: it can't be copied, and refers to values that its creator owns. So it consists of addresses,
/// and retains nothing. To store it, create a ``StoredChange``.
@usableFromInline
struct KeyValueChange: ~Copyable {
  @usableFromInline let borrowedObject: Unmanaged<KeyValueObservable>?
  @usableFromInline let borrowedObservance: Unmanaged<Observance>
  @usableFromInline let attributes: ChangeAttributes
  @usableFromInline let old: BorrowedValue
  @usableFromInline let new: BorrowedValue
  @usableFromInline let borrowedIndexes: Unmanaged<Box<IndexSet>>?
  /// The key that has changed; nil for the initial call, and for what a foreign object notifies.
  private let borrowedKey: Unmanaged<ObservedKey>?
  /// The info of the object that has changed; nil for the initial call, and for what a foreign object notifies.
  private let borrowedInfo: Unmanaged<ObservationInfo>?
  /// Whether the new value was stored with the lock of its object, which guards every read of it.
  let isStoredUnderLock: Bool

  /// The observed object; nil if it was deallocated after a change in its `deinit`.
  var object: KeyValueObservable? { borrowedObject?.takeUnretainedValue() }

  /// The key path as it was registered, or its name if that has become known.
  var keyPath: String { path.currentName }

  /// The key that has changed; nil for the initial call, and for what a foreign object notifies.
  var key: ObservedKey? { borrowedKey?.takeUnretainedValue() }

  /// The indexes of the objects that have changed in an ordered to-many property.
  var indexes: IndexSet? { boxedIndexes?.value }

  @usableFromInline
  var boxedIndexes: Box<IndexSet>? { borrowedIndexes?.takeUnretainedValue() }

  var path: ObservedPath { borrowedObservance._withUnsafeGuaranteedRef { $0.path } }

  /// The info of the object that has changed.
  var source: ObservationInfo? { borrowedInfo?.takeUnretainedValue() }

  /// Whether the observance is still affected by what was replaced.
  var isPassed: Bool {
    guard isStoredUnderLock, let source, let key else { return true }
    return borrowedObservance.takeUnretainedValue().passes(key, source)
  }
}

// MARK: Making one

extension KeyValueChange {
  /// The notification of a replacement of a property, from the addresses of both values.
  @inline(__always)
  init(
    of root: KeyValueObservable, to observance: Observance, _ key: Unmanaged<ObservedKey>, _ old: UnsafeRawPointer,
    _ new: UnsafeRawPointer, _ info: ObservationInfo
  ) {
    borrowedObject = .passUnretained(root)
    borrowedObservance = .passUnretained(observance)
    attributes = .setting
    // The key of a direct change is plain, so it has a field.
    let field = key._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.field!) }
    self.old = observance.wantsOld ? BorrowedValue(address: old, field: field) : .notRequested
    self.new = observance.wantsNew ? BorrowedValue(address: new, field: field) : .notRequested
    borrowedIndexes = nil
    borrowedKey = key
    borrowedInfo = .passUnretained(info)
    isStoredUnderLock = true
  }

  /// Calls `body` with the notification of an observance.
  @discardableResult
  static func lend<Result>(
    to observance: Observance, of root: KeyValueObservable?, _ attributes: ChangeAttributes,
    old: ChangedValue = .notRequested, new: ChangedValue = .notRequested, indexes: Box<IndexSet>? = nil,
    key: ObservedKey? = nil, source: ObservationInfo? = nil, _ body: (borrowing KeyValueChange) -> Result
  ) -> Result {
    defer { withExtendedLifetime((root, observance, indexes, key, source)) {} }
    let borrowedObject: Unmanaged<KeyValueObservable>? = if let root { .passUnretained(root) } else { nil }
    let borrowedIndexes: Unmanaged<Box<IndexSet>>? = if let indexes { .passUnretained(indexes) } else { nil }
    let borrowedKey: Unmanaged<ObservedKey>? = if let key { .passUnretained(key) } else { nil }
    let borrowedInfo: Unmanaged<ObservationInfo>? = if let source { .passUnretained(source) } else { nil }
    return withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        body(
          KeyValueChange(
            borrowedObject: borrowedObject, borrowedObservance: .passUnretained(observance), attributes: attributes,
            old: BorrowedValue(old), new: BorrowedValue(new), borrowedIndexes: borrowedIndexes,
            borrowedKey: borrowedKey, borrowedInfo: borrowedInfo, isStoredUnderLock: false))
      }
    }
  }
}

/// The kind of a change, and whether its notification precedes the change or is the initial one, in one number.
///
/// A change with few stored properties is cheaper to pass on: with more, the compiler asks the runtime how to destroy them.
@frozen
@usableFromInline
struct ChangeAttributes: Sendable {
  @usableFromInline let bits: UInt32

  static let setting = ChangeAttributes(kind: .setting)
  static let initial = ChangeAttributes(kind: .setting, isInitial: true)
  static let unsent = ChangeAttributes(kind: .setting, isUnsent: true)
  static let own = ChangeAttributes(kind: .setting, isOwn: true)

  @inlinable
  init(
    kind: NSKeyValueChange, isPrior: Bool = false, isInitial: Bool = false, isUnsent: Bool = false, isOwn: Bool = false
  ) {
    let flags: UInt32 = (isOwn ? 8 : 0) | (isUnsent ? 4 : 0) | (isInitial ? 2 : 0) | (isPrior ? 1 : 0)
    bits = UInt32(kind.rawValue) << 4 | flags
  }

  @inlinable var kind: NSKeyValueChange { NSKeyValueChange(rawValue: UInt(bits >> 4)) ?? .setting }
  @inlinable var isPrior: Bool { bits & 1 != 0 }
  @inlinable var isInitial: Bool { bits & 2 != 0 }
  /// Whether the handler isn't called, and the value only remembered: see ``SelectiveInfo``.
  var isUnsent: Bool { bits & 4 != 0 }
  /// Whether an assignment of the ``Binding`` that is notified has made it.
  var isOwn: Bool { bits & 8 != 0 }
}
