#if !canImport(ObjectiveC)
extension Observed {
  /// Sets a property of an object that is or was observed.
  @inlinable
  @inline(__always)
  static func replace(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value) {
    guard owner.slot.flags.areIdle else { return replaceObserved(storage, of: owner, with: value) }
    guard let mark = IdleMark.mark(owner), _fastPath(owner.slot.isIdle) else {
      return replaceUnmarked(storage, of: owner, with: value)
    }
    var former = value
    swap(&storage.pointee.value, &former)
    mark.pointee.remove()
    withExtendedLifetime(former) {}
  }

  /// Sets a property of an object that is no longer idle, or on a thread that has no mark yet.
  @inlinable
  @inline(never)
  static func replaceUnmarked(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value) {
    IdleMark.reset()
    replaceObserved(storage, of: owner, with: value)
  }

  /// Sets a property, and notifies observers.
  ///
  /// The old value is moved out of the property before it is released, because its `deinit` may use the property.
  ///
  /// A call that is specialized for the value's type passes the value in registers, so that the path for unobserved
  /// properties doesn't store it twice.
  @inlinable
  @inline(never)
  static func replaceObserved(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value) {
    if _slowPath(owner.slot.flags.contains(.everTracked)) { owner.willSetTracked(at: storage, identity: identity) }
    guard owner.slot.flags.contains(.observed) else {
      // Only Observation tracks the object.
      var former = value
      swap(&storage.pointee.value, &former)
      owner.reportDidSet(at: storage, identity: identity)
      return withExtendedLifetime(former) {}
    }
    // The key is found by the property's address, which a value without size doesn't have.
    guard MemoryLayout<Value>.size > 0, let notification = owner.beginReplacement(ofPropertyAt: storage) else {
      return setThroughTransaction(storage, of: owner, with: value)
    }
    var old = value, new = value
    swap(&storage.pointee.value, &old)
    let isTracked = owner.slot.flags.contains(.everTracked)
    // Only values of the property's type are written there, so no stack protector is needed.
    _withUnprotectedUnsafePointer(to: &old) { old in
      _withUnprotectedUnsafeMutablePointer(to: &new) { new in
        if _fastPath(!isTracked) {
          notification.finish(old, new, of: owner)
        } else {
          notification.finish(old, new, of: owner, trackedAt: storage, identity)
        }
      }
    }
  }

  /// Sets a property whose observers need a prior call, or receive another value. Observation has been notified already
  /// that it is about to change.
  @inlinable
  @inline(never)
  static func setThroughTransaction(
    _ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value
  ) {
    // Only objects lead to others.
    if MemoryLayout<Self>.size == MemoryLayout<UnsafeRawPointer>.size, !_isPOD(Self.self) {
      var former = value
      let child = withUnsafePointer(to: &former) { UnsafeRawPointer($0).load(as: UnsafeRawPointer?.self) }
      let isReplaced = owner.replaceOnPath(storage, with: child) { section in
        swap(&storage.pointee.value, &former)
        section.end()
      }
      if isReplaced { return withExtendedLifetime(former) {} }
    }
    let (transaction, section) = owner.beginSetting(storage, identity: identity)
    let former = store(value, at: storage, in: section)
    withExtendedLifetime(former) {}
    owner.reportDidSet(at: storage, identity: identity)
    owner.endTransaction(storage, identity: identity, transaction)
  }
}
#endif
