/// A request to observe: an object, a path, and a handler. Every form of `observe` creates one.
struct ObservationRequest {
  let object: KeyValueObservable
  let path: ObservedPath
  var options: NSKeyValueObservingOptions = []
  var identifier: HashedIdentifier?
  /// The actor on which the handler runs; nil if it runs on the thread that makes the change.
  var isolation: (any Actor)?
  /// Called once when the observation ends, for whatever reason.
  var onEnd: (@Sendable () -> Void)?
  let call: KVOReceiver.Call

  /// Begins the observation, unless the store has an equal one.
  ///
  /// An object whose `deinit` has begun isn't observed, because it can be neither retained nor referenced weakly. The
  /// returned observation has then ended already.
  ///
  /// - Returns: The new observation, or the equal one that existed.
  @discardableResult
  @inline(__always)
  func start(in store: ObservationStore) -> KVOInfo {
    let info = KVOInfo(self, store.links)
    guard !isInDeinit(object) else {
      KVOSharedController.shared.unobserve(info)
      return info
    }
    if let present = store.insert(info, of: object) { return present }
    KVOSharedController.shared.observe(object, info)
    return info
  }
}
