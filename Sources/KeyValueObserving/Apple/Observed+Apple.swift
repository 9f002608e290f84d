#if canImport(ObjectiveC)
extension Observed {
  /// Sets a property, and lets Foundation notify observers.
  ///
  /// The old value is moved out of the property before it is released, because its `deinit` may use the property.
  @inlinable
  static func replace(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, with value: Value) {
    let change = owner.willModify(storage, identity: identity)
    var former = value
    swap(&storage.pointee.value, &former)
    withExtendedLifetime(former) {}
    owner.didModify(storage, identity: identity, change)
  }
}
#endif
