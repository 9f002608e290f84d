/// The observer through which all controllers observe.
///
/// Objects of the engine pass their changes directly to the observations. Other objects notify this one of each change, with
/// a dictionary, and it routes the change by its context to the observation.
///
/// The name is FBKVOController's.
final class KVOSharedController: KeyValueObservable, @unchecked Sendable {
  static let shared = KVOSharedController()

  /// The observations by context.
  private let contexts = ContextRegistry<KVOInfo>()

  /// Whether an object that isn't retained needs a lifeline, because nothing else notifies of its deallocation.
  static func needsLifeline(_ object: KeyValueObservable) -> Bool { FoundationWay.isTaken(with: object) }

  /// Whether a path of an object is observed by name and context.
  ///
  /// A path of several keys is, as FBKVOController observes it, if the object is retained, and if there are only foreign
  /// objects on the path. To remove such a registration Foundation reads the path.
  static func usesContext(_ object: KeyValueObservable, _ path: ObservedPath, isRetained: Bool) -> Bool {
    guard FoundationWay.isTaken(with: object), path.isNamed,
      path.isSame(as: .named(path.name, of: object), at: object)
    else { return false }
    guard path.name.contains(".") else { return true }
    return isRetained
      && (FoundationWay.isAlwaysTaken ? path.hasOnlyNames : path.leadsThroughForeignObjects(from: object))
  }

  /// Begins an observation of an object.
  func observe(_ object: KeyValueObservable, _ info: KVOInfo) {
    guard let registration = info.receiver.registration else { return info.begin(at: object) }
    register(with: object, info, registration)
  }

  /// Ends an observation.
  ///
  /// - Parameter object: The object; nil if nothing may be called on it. Then what it knows by context is removed later.
  func unobserve(_ info: KVOInfo, of object: KeyValueObservable? = nil) {
    if info.end() {
      if ObservationLog.isOn {
        ObservationLog.log(object.map { isInDeinit($0) } == true ? .objectDied : .end, info, of: object)
      }
      info.queue?.observationEnded()
    }
    guard let registration = info.receiver.registration else { return }
    let (number, mustRemove) = registration.end(removes: object != nil)
    contexts.remove(number)
    if mustRemove, let object { unregister(with: object, info, registration) }
  }

  /// Ends an observation of an object whose `deinit` has begun. Its own registration is left as it is if it can't be removed
  /// any longer.
  func unobserve(_ info: KVOInfo, ofDeallocated object: KeyValueObservable) {
    unobserve(info, of: object.foreign?.cannotRemoveInDeinit(forKey: info.path.name) == true ? nil : object)
  }

  // MARK: Registrations by context

  /// Registers by name and context.
  ///
  /// Foundation sends the initial notification before it registers, so a change in between would be lost. Here the
  /// registration is made first, without that option, and the notification is sent afterwards.
  private func register(with object: KeyValueObservable, _ info: KVOInfo, _ registration: ContextRegistration) {
    let number = contexts.insert(info)
    guard registration.begin(number) else {
      contexts.remove(number)
      return
    }
    object.addObserver(
      self, forKeyPath: info.path.name, options: info.options.subtracting(.initial), context: registration.context)
    guard registration.didRegister() else { return unregister(with: object, info, registration) }
    if info.options.contains(.initial), !info.hasEnded {
      info.lendInitial(of: object) { KVOReceiver.receive($0, for: info) }
    }
  }

  private func unregister(with object: KeyValueObservable, _ info: KVOInfo, _ registration: ContextRegistration) {
    object.removeObserver(self, forKeyPath: info.path.name, context: registration.context)
  }

  /// The observation that a context represents.
  package func representedObservance(context: UnsafeMutableRawPointer?) -> Observance? {
    contexts.info(UInt(bitPattern: context))
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    // A notification for an observation that has ended finds nothing.
    guard let info = contexts.info(UInt(bitPattern: context)), let object = object as? KeyValueObservable else {
      return
    }
    info.lend(change ?? [:], of: object) { KVOReceiver.receive($0, for: info) }
  }
}
