#if !canImport(ObjectiveC)
// Our own engine hands over changes as they are, without a dictionary.
extension KVOSharedController: KeyValueChangeReceiver {
  static func receive(_ change: KeyValueChange, context: UnsafeMutableRawPointer?) {
    route(change, context)
  }

  static func observedObjectDied(context: UnsafeMutableRawPointer?) {
    objectDied(context)
  }
}
#endif
