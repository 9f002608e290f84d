import CKeyValueObserving

/// A property of a ``KeyValueObject`` that takes part in Key-Value Coding and Key-Value Observing under its own name.
///
/// It is the portable counterpart of `@objc dynamic`:
///
///     final class Clock: KeyValueObject {
///       @Observed var date = Date()
///     }
///
/// Every assignment notifies the observers of `"date"`, even if the value is equal. Each in-place mutation
/// (`model.items.append(1)`) is one change with the whole old and new values. Only a value without size, such as
/// `Void`, never changes. The wrapper stores only the value, so an `@Observed` property takes as much memory as a plain
/// one, and about as much time while the object isn't observed.
///
/// > Important: As with any Swift property, you must synchronize each write with other reads and writes of it.
@frozen
@propertyWrapper
public struct Observed<Value> {
  @usableFromInline
  var value: Value

  /// Creates the property with its initial value, without a notification.
  @inlinable
  public init(wrappedValue: Value) {
    value = wrappedValue
  }

  /// Unavailable: an `@Observed` property must belong to a class that inherits from ``KeyValueObject``.
  @available(
    *, unavailable,
    message: "@Observed is for properties of classes that inherit from KeyValueObject, without other property wrappers"
  )
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  // The accessors are inlined everywhere: otherwise the optimizer calls them with key paths that have to be allocated first,
  // which takes a hundred times as long as a plain set. What is called in the slow cases gets the address of the storage
  // instead of the key paths, because Swift checks the property for exclusive access at run time if there is a key path of its
  // storage. The address is that of a stored property of `owner`, which the caller of an accessor retains.

  /// Reads and writes the property of `owner`, and notifies the owner's observers of each write.
  @inlinable
  public static subscript<Owner: KeyValueObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inline(__always)
    get {
      if hasAddress, owner.getterReports, owner.isReadReported {
        kvo_sanitizer_begin_ignoring_writes()
        let address = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
        if let value = reportedValue(at: address, of: owner, { wrapped }) { return value }
      }
      return owner[keyPath: storage].value
    }
    @inline(__always)
    set {
      if hasAddress, owner.setterNotifies {
        kvo_sanitizer_begin_ignoring_writes()
        if set(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner, to: newValue) { return }
      }
      // The former value is released after the access, because its `deinit` may use the property.
      var former = newValue
      swap(&owner[keyPath: storage].value, &former)
    }
    _modify {
      var mutation: InPlaceMutation?
      if hasAddress, owner.setterNotifies || owner.getterReports {
        kvo_sanitizer_begin_ignoring_writes()
        mutation = owner.willModify(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 })
      }
      defer {
        // The object may be observed since.
        if hasAddress, mutation != nil || owner.setterNotifies {
          kvo_sanitizer_begin_ignoring_writes()
          owner.didModify(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, mutation)
        }
      }
      // Yields the access itself, not a pointer from an access that has ended, so that Swift checks for exclusive
      // access.
      yield &owner[keyPath: storage].value
    }
  }

  /// Whether the property has an address of its own. A value without size can't change.
  @inlinable
  @inline(__always)
  static var hasAddress: Bool { MemoryLayout<Value>.size > 0 }

  /// Sets a property of an observed object, and notifies. Returns false if it isn't known, and so wasn't set.
  ///
  /// The old value is moved out of the property before it is released, because its `deinit` may use the property.
  @inlinable
  @inline(never)
  static func set(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, to value: Value) -> Bool {
    var (old, new) = (value, value)
    return withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        owner.set(at: storage, old, new) { swap(&storage.pointee.value, &old.pointee) }
      }
    }
  }
}

extension ObservedProperty {
  /// Reports a read of the property at an address, and reads it; nil if it is to be read without the lock, as a property is that
  /// isn't known.
  @inlinable
  @inline(never)
  static func reportedValue(
    at storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, _ property: () -> AnyKeyPath
  ) -> Value? {
    guard owner.reportRead(atOffset: UnsafeMutableRawPointer(storage) - owner.address, property) else { return nil }
    var value: Value?
    owner.withStorageLock { value = storage.pointee.value }
    return value
  }
}

// MARK: Properties known only at run time

extension Observed: ObservedProperty {
  @usableFromInline
  static func field(name: String, offset: Int, index: Int) -> ObservedField {
    // The class has a property of this type at the offset.
    @Sendable func storage(of object: KeyValueObject) -> UnsafeMutablePointer<Self> {
      (object.address + offset).assumingMemoryBound(to: Self.self)
    }
    /// Returns the former value, to be released after the access, because its `deinit` may use the property.
    @Sendable func exchange(_ object: KeyValueObject, _ value: Value) -> Value {
      var former = value
      object.store { swap(&storage(of: object).pointee.value, &former) }
      return former
    }
    return ObservedField(
      name: name, offset: offset, index: index, Value.self,
      set: { object, value, notifies in
        if hasAddress { kvo_check_access(storage(of: object), true) }
        if hasAddress, notifies, object.setterNotifies {
          kvo_sanitizer_begin_ignoring_writes()
          _ = set(storage(of: object), of: object, to: value)
        } else {
          let former = exchange(object, value)
          withExtendedLifetime(former) {}
        }
      }, exchange: exchange)
  }
}
