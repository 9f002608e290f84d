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
/// (`model.items.append(1)`) is one change with the whole old and new values. The wrapper stores only the value, so an
/// `@Observed` property takes as much memory as a plain one, and about as much time while the object isn't observed.
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
  // storage. The address is that of a stored property of `owner`, which the caller of an accessor retains. Where the compiler
  // doesn't know that address, it is found out: see PropertyMark.

  /// Reads and writes the property of `owner`, and notifies the owner's observers of each write.
  @inlinable
  public static subscript<Owner: KeyValueObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inline(__always)
    get {
      if owner.getterReports, owner.isReadReported {
        let lock = owner.beginTakingAddress()
        let address = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
        if let value = reportedValue(at: address, lock, of: owner, identity: identity, { wrapped }) { return value }
      }
      return owner[keyPath: storage].value
    }
    @inline(__always)
    set {
      if owner.setterNotifies {
        // The access begins with the lock, because the engine reads the property with it on other threads.
        owner.lockStorage()
        if setLocked(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner, to: newValue) { return }
        // The address was that of a copy, or it is that of an unknown property.
        owner.lockStorage()
        if let mark = PropertyMark.begin(Value.self, of: owner) {
          withUnsafeMutablePointer(to: &owner[keyPath: storage]) { mark.make($0) }
        }
        if setMarked(of: owner, to: newValue) { return }
      }
      // The former value is released after the access, because its `deinit` may use the property.
      var former = newValue
      swap(&owner[keyPath: storage].value, &former)
    }
    _modify {
      let mutation =
        owner.setterNotifies || owner.getterReports
        ? owner.willModify(
          owner.lockedStorage, withUnsafeMutablePointer(to: &owner[keyPath: storage]) { place($0, of: owner) },
          identity: identity)
        : nil
      defer {
        // The object may be observed since.
        if mutation != nil || owner.setterNotifies {
          owner.lockStorage()
          owner.didModify(
            withUnsafeMutablePointer(to: &owner[keyPath: storage]) { place($0, of: owner) }, identity: identity,
            mutation)
        }
      }
      // Yields the access itself, not a pointer from an access that has ended, so that Swift checks for exclusive
      // access.
      yield &owner[keyPath: storage].value
    }
  }

  /// The address of the property, given that of its value during an access to it, or what stands for it until it's found out.
  @inlinable
  @inline(never)
  static func place(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject) -> UnsafeMutableRawPointer {
    if kvo_contains(owner.address, storage) || MemoryLayout<Value>.size == 0 { return UnsafeMutableRawPointer(storage) }
    PropertyMark.begin(Value.self, of: owner)?.make(storage)
    return owner.address
  }
}

extension ObservedProperty {
  /// Reports a read of the property at an address, and reads it.
  ///
  /// - Parameters:
  ///   - lock: The lock with which the address was taken.
  ///   - property: Returns the property's own key path.
  /// - Returns: nil if it is to be read without the lock, as a property is that isn't known.
  @inlinable
  @inline(never)
  static func reportedValue(
    at storage: UnsafeMutablePointer<Self>, _ lock: UnsafeRawPointer?, of owner: KeyValueObject,
    identity: Any.Type?, _ property: () -> AnyKeyPath
  ) -> Value? {
    guard let place = owner.reportRead(at: storage, lock, identity: identity, property) else { return nil }
    let lock = owner.lockedStorage
    defer { owner.unlockStorage(lock) }
    return place.assumingMemoryBound(to: Self.self).pointee.value
  }
}

/// The slow ways to set an ``Observed`` property: those for observed objects.
///
/// `storage` is the address of the property, which the inlined setter takes with the object's lock. It is that of a stored
/// property of an object that the caller retains.
///
/// The lock of a set is taken by the setter, in `lockStorage`. It is released by `beginDirectChange` if the change isn't direct, else
/// by `DirectChange.didStore`, when the value was swapped. A `ChangeTransaction` takes it again in `store`. An access in place has
/// it until `willModify`, and again in `didModify`.
extension Observed {
  /// Sets a property of an object whose lock the caller has taken with ``KeyValueObject/lockStorage()``. Releases the lock,
  /// and notifies.
  ///
  /// The old value is moved out of the property before it is released, because its `deinit` may use the property.
  ///
  /// - Returns: Whether it was set, which isn't possible if it isn't the address of a known property.
  @inlinable
  @inline(never)
  static func setLocked(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, to value: Value) -> Bool {
    var latestSequence: UInt64?
    guard let change = owner.beginDirectChange(at: storage, identity: identity, &latestSequence) else {
      var former = value
      let isSet = owner.changeInTransaction(at: storage, identity: identity, after: latestSequence) {
        swap(&storage.pointee.value, &former)
      }
      withExtendedLifetime(former) {}
      return isSet
    }
    var (old, new) = (value, value)
    swap(&storage.pointee.value, &old)
    withUnsafePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        owner.finish(change, old, new, at: storage, identity: identity)
      }
    }
    return true
  }

  /// The same for the property that this thread has marked, because the compiler doesn't know its address.
  @inlinable
  @inline(never)
  static func setMarked(of owner: KeyValueObject, to value: Value) -> Bool {
    guard let place = PropertyMark.address(owner.address, identity: nil, of: owner) else {
      owner.unlockStorage()
      return false
    }
    return setLocked(place.assumingMemoryBound(to: Self.self), of: owner, to: value)
  }

  /// The type of a value without size, which distinguishes the property from the next one at the same address;
  /// otherwise nil.
  @inlinable
  static var identity: Any.Type? { MemoryLayout<Value>.size == 0 ? Value.self : nil }
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
        if MemoryLayout<Value>.size > 0 { kvo_check_access(storage(of: object), true) }
        guard notifies, object.setterNotifies else {
          let former = exchange(object, value)
          return withExtendedLifetime(former) {}
        }
        object.lockStorage()
        _ = setLocked(storage(of: object), of: object, to: value)
      }, exchange: exchange)
  }
}
