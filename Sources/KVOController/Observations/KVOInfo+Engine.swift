#if !canImport(ObjectiveC)
// Our own engine hands changes over as they are, without a dictionary, to the observation itself, so that no context
// has to be looked up; and it says when an object has died.
extension KVOInfo: KeyValueChangeReceiver {
  static func receive(_ change: borrowing KeyValueChange, for receiver: Unmanaged<AnyObject>) {
    receiver._withUnsafeGuaranteedRef { unsafeDowncast($0, to: KVOInfo.self).receive(change) }
  }

  func observedObjectDied() {
    _ = end()
    controller?.forget(self)
  }
}

extension KVOController {
  /// Takes out an observation whose object has died.
  fileprivate func forget(_ info: KVOInfo) {
    _ = lock.withLock { objects.remove(info) }
  }
}
#endif
