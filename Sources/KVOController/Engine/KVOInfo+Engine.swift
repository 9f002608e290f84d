#if !canImport(ObjectiveC)
// The package's own engine passes changes directly to the observation, without a dictionary, so no context has to be
// looked up. It also notifies the observation when the object is deallocated.
extension KVOInfo: KeyValueChangeReceiver {
  static func receive(_ change: borrowing KeyValueChange, for receiver: Unmanaged<AnyObject>) {
    receiver._withUnsafeGuaranteedRef { unsafeDowncast($0, to: KVOInfo.self).receive(change) }
  }

  func observedObjectDied() {
    KVOSharedController.shared.unobserve(nil, self)
    store?.removeOfDeallocatedObject(self)
  }
}
#endif
