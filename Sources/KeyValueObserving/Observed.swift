/// A property of a ``KeyValueObject`` that takes part in Key-Value Coding and Key-Value Observing under its own name.
///
/// It is the portable counterpart of `@objc dynamic`:
///
///     final class Clock: KeyValueObject {
///       @Observed var date = Date()
///     }
///
/// Every assignment notifies the observers of `"date"`, equal values included. Mutation in place
/// (`model.items.append(1)`) is one change with the whole old and new values. The wrapper stores nothing but the value:
/// an `@Observed` property takes the room of a plain one, and while nobody observes the object, it costs the same too.
///
/// - Important: Concurrent writes of one property need their owner's own synchronisation, as those of any Swift
///   property.
@frozen
@propertyWrapper
public struct Observed<Value> {
  @usableFromInline
  var value: Value

  /// Creates the property with its first value, which notifies nobody.
  @inlinable
  public init(wrappedValue: Value) {
    value = wrappedValue
  }

  /// Serves no one: an `@Observed` property belongs to a class, which must descend from ``KeyValueObject``.
  @available(
    *, unavailable,
    message: "@Observed is for properties of classes that inherit from KeyValueObject, without other property wrappers"
  )
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// Reads and writes the property of `owner`, and tells the owner's observers of each write.
  ///
  /// The address of the storage goes to the engine, not the key paths, which the optimiser folds away only where it
  /// sees their use. It is the address of a stored property of `owner`, so it is good for as long as `owner` is held,
  /// which the caller of an accessor does.
  ///
  /// Inlined everywhere: the optimiser by itself does so only in loops, and elsewhere calls an accessor with key paths
  /// that it has to make first, an allocation and a hundred times a plain set.
  @inlinable
  public static subscript<Owner: KeyValueObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inline(__always)
    get {
      guard _slowPath(owner.isTrackedOrObservable) else { return owner[keyPath: storage].value }
      let read = willRead(of: owner, { wrapped }, at: { withUnsafeMutablePointer(to: &$0[keyPath: storage]) { $0 } })
      let value = owner[keyPath: storage].value
      if let read { ReadTracker.didRead(value, read) }
      return value
    }
    @inline(__always)
    set {
      guard _slowPath(owner.isAttended) else {
        owner[keyPath: storage].value = newValue
        return
      }
      Self.replace(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner, with: newValue)
    }
    _modify {
      let isAttended = _slowPath(owner.isAttendedOrObservable)
      if isAttended {
        reportRead(of: owner, { wrapped }, at: { withUnsafeMutablePointer(to: &$0[keyPath: storage]) { $0 } })
      }
      let change =
        isAttended
        ? owner.willModify(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, identity: identity) : nil
      defer {
        if _slowPath(owner.isAttended) {
          owner.didModify(
            withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, identity: identity, change)
        }
      }
      // The access itself, and not a pointer that was got from one which has ended: so nobody else has access meanwhile.
      yield &owner[keyPath: storage].value
    }
  }

  /// Reports a read of the property, which follows, to Observation and to the tracker at work.
  ///
  /// Each closure captures nothing but a key path, and is used in one call of an accessor only. So the optimizer makes
  /// the key paths inside of them, and accessors that nobody tracks make none.
  @inlinable
  @inline(never)
  static func willRead<Owner: KeyValueObject>(
    of owner: Owner, _ property: () -> AnyKeyPath, at address: (Owner) -> UnsafeMutablePointer<Self>
  ) -> ReadTracker.PendingRead? {
    if owner.isObservable, owner.isReadTracked() { KeyValueObject.reportRead(of: owner, property, at: address) }
    return owner.isTracked ? ReadTracker.willRead(of: owner, property, at: address) : nil
  }

  /// Reports the read that a mutation in place begins with to Observation.
  @inlinable
  @inline(never)
  static func reportRead<Owner: KeyValueObject>(
    of owner: Owner, _ property: () -> AnyKeyPath, at address: (Owner) -> UnsafeMutablePointer<Self>
  ) {
    if owner.isObservable, owner.isReadTracked() { KeyValueObject.reportRead(of: owner, property, at: address) }
  }

  /// Puts a value in the place of another, and notifies nobody: how every property is replaced that may be observed.
  ///
  /// - Returns: The former value, which the caller releases: its `deinit` may use the property.
  @usableFromInline
  static func store(_ value: Value, at storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject) -> Self {
    if MemoryLayout<Value>.size > 0 { ExclusiveAccess.modify(storage) }
    let section = owner.beginStoring(at: storage, identity: identity)
    let former = storage.move()
    storage.initialize(to: Self(wrappedValue: value))
    section.end()
    return former
  }

  /// The type, if it is needed to tell the property by its address: one without size shares its address with the next.
  @inlinable
  static var identity: Any.Type? { MemoryLayout<Value>.size == 0 ? Value.self : nil }
}
