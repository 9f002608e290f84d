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
  @available(*, unavailable, message: "@Observed is for properties of classes that descend from KeyValueObject")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// Reads and writes the property of `owner`, and tells the owner's observers of each write.
  ///
  /// The address of the storage goes to the engine, not the key paths, which the optimiser folds away only where it
  /// sees their use. It is the address of a stored property of `owner`, so it is good for as long as `owner` is held,
  /// which the caller of an accessor does.
  @inlinable
  public static subscript<Owner: KeyValueObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    get {
      guard owner.isAttendedOrTracked else { return owner[keyPath: storage].value }
      if owner.isTracked {
        let address = { withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 } }
        return ReadTracker.read(wrapped, of: owner, at: address) { owner[keyPath: storage].value }
      }
      let lock = owner.lockStorage()
      defer { lock.unlock() }
      return owner[keyPath: storage].value
    }
    set {
      guard owner.isAttended else {
        owner[keyPath: storage].value = newValue
        return
      }
      Self.replace(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner, with: newValue)
    }
    _modify {
      let storage = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
      let change = owner.isAttended ? owner.willModify(storage, identity: identity) : nil
      defer { if change != nil || owner.isAttended { owner.didModify(storage, identity: identity, change) } }
      yield &storage.pointee.value
    }
  }

  /// Sets an observed property, and notifies.
  ///
  /// The old value leaves the property before it is released, so that its `deinit` may use the property. The lock keeps
  /// the engine from reading a half-made replacement on another thread.
  ///
  /// A call that is specialised for the value's type takes the value in registers, which keeps the unobserved path from
  /// storing it twice.
  @inlinable
  @inline(never)
  static func replace(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value) {
    let change = owner.willModify(storage, identity: identity)
    let lock = owner.lockStorage()
    let replaced = storage.move()
    storage.initialize(to: Self(wrappedValue: value))
    lock.unlock()
    withExtendedLifetime(replaced) {}
    owner.didModify(storage, identity: identity, change)
  }

  /// The type, if it is needed to tell the property by its address: one without size shares its address with the next.
  @inlinable
  static var identity: Any.Type? { MemoryLayout<Value>.size == 0 ? Value.self : nil }
}
