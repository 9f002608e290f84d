/// A request to observe: an object, paths, and a handler. Every form of `observe` creates one.
struct ObservationRequest {
  let object: KeyValueObservable
  var options: NSKeyValueObservingOptions = []
  var identifier: HashedIdentifier?
  var destination = Destination.threadOfChange
  /// The queue for the destination, if several observations are to keep their order.
  var sharedQueue: ChangeQueue?
  /// The token of an observation by a typed key path.
  var token: (any KVOInfoToken)?
  /// Where the client called `observe`, if the form knows it.
  var site: CallSite?
  let call: KVOReceiver.Call

  /// Begins the observation of a path, unless the store has an equal one.
  ///
  /// An object whose `deinit` has begun isn't observed, because it can be neither retained nor referenced weakly. The
  /// returned observation has then ended already.
  ///
  /// - Returns: The new observation, or the equal one that existed.
  @discardableResult
  @inline(__always)
  func start(_ path: ObservedPath, in store: ObservationStore) -> KVOInfo {
    let info = info(path, store)
    if let sharedQueue { info.makeQueue(sharedQueue) }
    if case .sequence = destination { info.makeQueue(ChangeQueue(destination)) }
    guard !isInDeinit(object) else {
      KVOSharedController.shared.unobserve(info)
      return info
    }
    let present = store.insert(info, of: object)
    if ObservationLog.isOn { ObservationLog.log(present == nil ? .begin : .ignore, info, of: object, at: site) }
    if let present { return present }
    KVOSharedController.shared.observe(object, info)
    return info
  }

  /// Begins one observation of several paths, without those that are observed already. What ends it on another thread ends
  /// all of it, and an actor gets the changes in their order.
  ///
  /// - Returns: The new observations; and all, with the equal ones that existed.
  @discardableResult
  func start(_ paths: [ObservedPath], in store: ObservationStore) -> (new: [KVOInfo], all: [KVOInfo]) {
    guard !isInDeinit(object) else { return ([], []) }
    let infos = paths.map { info($0, store) }
    if destination.isElsewhere {
      let queue = ChangeQueue(destination, isShared: true)
      for info in infos { info.makeQueue(queue) }
    }
    let (new, equal) = store.insert(infos, of: object)
    if ObservationLog.isOn {
      for info in new { ObservationLog.log(.begin, info, of: object, at: site) }
      for info in equal { ObservationLog.log(.ignore, info, of: object, at: site) }
    }
    for info in new { KVOSharedController.shared.observe(object, info) }
    return (new, new + equal)
  }

  @inline(__always)
  private func info(_ path: ObservedPath, _ store: ObservationStore) -> KVOInfo {
    let usesContext = KVOSharedController.usesContext(object, path, isRetained: store.retains(object))
    let info = KVOInfo(
      path, options: options, call.form,
      KVOReceiver(
        store.links, identifier, destination, usesContext ? ContextRegistration() : nil, token, call))
    token?.connect(info)
    return info
  }
}
