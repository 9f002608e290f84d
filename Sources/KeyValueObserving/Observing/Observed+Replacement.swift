#if !canImport(ObjectiveC)
extension Observed {
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
    owner.reportWillSet(at: storage, identity: identity)
    guard owner.slot.isObserved else {
      // Tracked by Observation only.
      let replaced = storage.move()
      storage.initialize(to: Self(wrappedValue: value))
      owner.reportDidSet(at: storage, identity: identity)
      return withExtendedLifetime(replaced) {}
    }
    guard let receivers = owner.lockReceivers(ofPropertyAt: storage, identity: identity) else {
      return replaceWithChange(storage, of: owner, with: value)
    }
    var old = storage.move()
    var new = Self(wrappedValue: value)
    storage.initialize(to: new)
    receivers.unlockStorage()
    owner.reportDidSet(at: storage, identity: identity)
    withUnsafePointer(to: &old) { old in
      withUnsafePointer(to: &new) { new in receivers.receive(old, new, of: owner) }
    }
  }

  /// Sets a property of which some want to hear before, or see something else than its value. Observation was told
  /// that the property is about to change.
  @inlinable
  @inline(never)
  static func replaceWithChange(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value) {
    let change = owner.beginChange(storage, identity: identity)
    let lock = owner.lockStorage()
    let replaced = storage.move()
    storage.initialize(to: Self(wrappedValue: value))
    lock.unlock()
    withExtendedLifetime(replaced) {}
    owner.reportDidSet(at: storage, identity: identity)
    owner.endChange(storage, identity: identity, change)
  }
}
#endif
