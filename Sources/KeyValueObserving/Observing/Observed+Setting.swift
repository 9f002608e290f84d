#if !canImport(ObjectiveC)
extension Observed {
  /// Sets an observed property, and notifies.
  ///
  /// The old value leaves the property before it is released, so that its `deinit` may use the property.
  ///
  /// A call that is specialised for the value's type takes the value in registers, which keeps the unobserved path from
  /// storing it twice.
  @inlinable
  @inline(never)
  static func replace(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value) {
    owner.reportWillSet(at: storage, identity: identity)
    guard owner.slot.isObserved else {
      // Tracked by Observation only.
      let former = storage.move()
      storage.initialize(to: Self(wrappedValue: value))
      owner.reportDidSet(at: storage, identity: identity)
      return withExtendedLifetime(former) {}
    }
    guard let notification = owner.beginDirectNotification(ofPropertyAt: storage, identity: identity) else {
      return setThroughTransaction(storage, of: owner, with: value)
    }
    var old = storage.move()
    var new = Self(wrappedValue: value)
    storage.initialize(to: new)
    notification.endStoring()
    owner.reportDidSet(at: storage, identity: identity)
    withUnsafePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in notification.send(old, new, of: owner) }
    }
  }

  /// Sets a property of which some want to know before, or see something else than its value. Observation knows
  /// already that it is about to change.
  @inlinable
  @inline(never)
  static func setThroughTransaction(
    _ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value
  ) {
    let transaction = owner.beginTransaction(storage, identity: identity)
    let former = store(value, at: storage, of: owner)
    withExtendedLifetime(former) {}
    owner.reportDidSet(at: storage, identity: identity)
    owner.endTransaction(storage, identity: identity, transaction)
  }
}
#endif
