/// What every form of `observe` becomes: an object, a path, and what to call for its changes.
struct ObservationRequest {
  let object: KeyValueObservable
  let path: ObservedPath
  var options: NSKeyValueObservingOptions = []
  var identifier: HashedIdentifier?
  /// The actor on which the handler runs; nil if it runs on the thread that makes the change.
  var isolation: (any Actor)?
  /// Called once when the observation ends, for whatever reason.
  var onEnd: (@Sendable () -> Void)?
  let handler: KVOInfo.Handler

  /// Begins the observation, unless the store has an equal one.
  ///
  /// An object whose `deinit` has begun isn't observed: it can be neither retained nor referred to weakly, and won't
  /// exist for long. The observation has ended then before it began.
  ///
  /// - Returns: The observation that stands now.
  @discardableResult
  func start(in store: ObservationStore) -> KVOInfo {
    let info = KVOInfo(self, store.links)
    guard !isInDeinit(object) else {
      KVOSharedController.shared.unobserve(nil, info)
      return info
    }
    if let present = store.insert(info, of: object) { return present }
    KVOSharedController.shared.observe(object, info)
    return info
  }
}
