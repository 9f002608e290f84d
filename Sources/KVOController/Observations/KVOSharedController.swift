/// The only observer that is registered with observed objects.
///
/// Foundation calls it for each change, with a dictionary, and it routes the change by its context to the observation.
/// The package's own engine passes the change to the observation directly, except in tests that use ``FoundationWay``.
///
/// The name is FBKVOController's.
final class KVOSharedController: KeyValueObservable, @unchecked Sendable {
  static let shared = KVOSharedController()

  /// The observations by context, where Foundation calls.
  let contexts = ContextRegistry<KVOInfo>()

  /// Whether observed objects that aren't retained need lifelines, because nothing else notifies of their deallocation.
  static var needsLifelines: Bool { FoundationWay.isTaken }

  /// Registers for the observation's key path of `object`.
  ///
  /// Foundation sends the initial notification before it registers, so a change in between would be lost. Here the
  /// registration is made first, without that option, and the notification is sent afterwards.
  func observe(_ object: KeyValueObservable, _ info: KVOInfo) {
    let number = newContext(for: info)
    guard info.willRegister(number) else { return forget(number) }
    let context = UnsafeMutableRawPointer(bitPattern: number)
    let options = info.options.subtracting(.initial)
    register(with: object, info, options, context)
    guard info.didRegister() else { return unregister(with: object, info, context) }
    if info.options.contains(.initial), !info.hasEnded {
      KeyValueChange.lendInitial(of: info.path, of: object, options: info.options) {
        KVOReceiver.receive($0, for: info)
      }
    }
  }

  /// Ends the observation of an object.
  func unobserve(_ object: KeyValueObservable, _ info: KVOInfo) {
    let (number, mustUnregister) = info.endObservation(unregisters: true)
    forget(number)
    if mustUnregister { unregister(with: object, info, UnsafeMutableRawPointer(bitPattern: number)) }
  }

  /// Ends the observation of an object on which nothing may be called.
  func unobserve(_ info: KVOInfo) {
    forget(info.endObservation(unregisters: false).number)
  }

  private func register(
    with object: KeyValueObservable, _ info: KVOInfo, _ options: NSKeyValueObservingOptions,
    _ context: UnsafeMutableRawPointer?
  ) {
    if isFollowed(info.path), let context {
      FollowedRegistration.begin(self, of: object, info.path, options: options, context: context)
    } else {
      object.register(self, info, options: options, context: context)
    }
  }

  private func unregister(with object: KeyValueObservable, _ info: KVOInfo, _ context: UnsafeMutableRawPointer?) {
    if isFollowed(info.path), let context {
      FollowedRegistration.end(of: object, context: context)
    } else {
      object.unregister(self, info, context: context)
    }
  }

  /// Whether the path must be followed here, because Foundation can't observe a path without a name.
  private func isFollowed(_ path: ObservedPath) -> Bool {
    FoundationWay.isTaken && !path.isNamed
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    // A notification for an observation that has ended finds nothing.
    guard let info = contexts.info(UInt(bitPattern: context)), let object = object as? KeyValueObservable else {
      return
    }
    // A setter that Key-Value Coding calls may change what its key depends on. That is part of the change of the key.
    if let keyPath, CoveredKeys.contain(firstKeyOf: keyPath, of: object) { return }
    KeyValueChange.lend(change ?? [:], of: info.path, of: object) { KVOReceiver.receive($0, for: info) }
  }

  private func forget(_ number: UInt) {
    if FoundationWay.isTaken { contexts.remove(number) }
  }
}
