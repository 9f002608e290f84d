/// A request to observe: an object, paths, and a handler. Every form of `observe` creates one.
struct ObservationRequest {
  let object: KeyValueObservable
  var options: NSKeyValueObservingOptions = []
  var identifier: HashedIdentifier?
  /// The actor on which the handler runs; nil if it runs on the thread that makes the change.
  var isolation: (any Actor)?
  /// The queue on which the handler runs, if it isn't an actor's.
  var dispatchQueue: DispatchQueue?
  /// The queue for the actor, if several observations are to keep their order.
  var sharedQueue: ChangeQueue?
  /// Called once when the observation of a sequence ends, after its last change was delivered.
  var finish: (@Sendable () -> Void)?
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
    let info = info(path, store, queue)
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
    let queue = queue
    let (new, equal) = store.insert(paths.map { info($0, store, queue) }, of: object)
    if ObservationLog.isOn {
      for info in new { ObservationLog.log(.begin, info, of: object, at: site) }
      for info in equal { ObservationLog.log(.ignore, info, of: object, at: site) }
    }
    for info in new { KVOSharedController.shared.observe(object, info) }
    return (new, new + equal)
  }

  private var queue: ChangeQueue? {
    if let sharedQueue { return sharedQueue }
    if let finish { return ChangeQueue(.sequence(finish: finish)) }
    if let dispatchQueue { return ChangeQueue(.dispatchQueue(dispatchQueue)) }
    return isolation.map { ChangeQueue(.actor(WeakActor($0))) }
  }

  @inline(__always)
  private func info(_ path: ObservedPath, _ store: ObservationStore, _ queue: ChangeQueue?) -> KVOInfo {
    let usesContext = KVOSharedController.usesContext(object, path, isRetained: store.retains(object))
    let hasExtras = identifier != nil || queue != nil || usesContext
    let extras =
      hasExtras ? KVOReceiver.Extras(identifier, queue, usesContext ? ContextRegistration() : nil) : nil
    let info = KVOInfo(path, options: options, call.form, KVOReceiver(store.links, extras, token, call))
    token?.connect(info)
    return info
  }
}
