#if !canImport(ObjectiveC)
// Our own engine hands over changes as they are, without a dictionary, and says when an object has died.
extension KVOSharedController: KeyValueChangeReceiver {
  static func receive(_ change: KeyValueChange, context: UnsafeMutableRawPointer?) {
    route(change, context)
  }

  static func observedObjectDied(context: UnsafeMutableRawPointer?) {
    guard let info = remove(context) else { return }
    _ = info.end()
    info.controller?.forget(info)
  }
}

extension KVOController {
  /// Takes out an observation whose object has died.
  fileprivate func forget(_ info: KVOInfo) {
    _ = lock.withLock { objects.remove(info) }
  }
}
#endif
