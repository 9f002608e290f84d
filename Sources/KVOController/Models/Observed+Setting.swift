import CKeyValueObserving

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
