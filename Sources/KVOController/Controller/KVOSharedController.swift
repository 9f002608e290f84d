import CKeyValueObserving

/// The observer through which all controllers observe. It owns the registrations. The name is FBKVOController's.
///
/// Objects of the engine pass their changes directly to the observations. Other objects notify this one of each change, with
/// a dictionary, and it routes the change by its context to the observation.
final class KVOSharedController: KeyValueObservable, @unchecked Sendable {
  static let shared = KVOSharedController()

  /// Begins an observation of an object.
  func begin(_ info: KVOInfo, of object: KeyValueObservable) {
    if info.usesContext { register(info, with: object) } else { info.begin(at: object) }
  }

  /// Ends an observation.
  ///
  /// - Parameter object: The object; nil if nothing may be called on it. Its registration by context is then left to the
  ///   thread that deallocates it.
  func end(_ info: KVOInfo, of object: KeyValueObservable? = nil) {
    if info.end() {
      if ObservationLog.isOn {
        ObservationLog.log(object.map { isInDeinit($0) } == true ? .objectDied : .end, info, of: object)
      }
      info.queue?.observationEnded()
    }
    if info.usesContext, let object, takeRegistration(of: info) { unregister(info, from: object) }
  }

  /// Ends an observation of an object whose `deinit` has begun. Its own registration is left as it is if it can't be removed
  /// any longer.
  func end(_ info: KVOInfo, ofDeallocated object: KeyValueObservable) {
    let isLeft = object.foreign?.cannotRemoveInDeinit(forKey: info.path.name) == true
    if isLeft { endWithoutObject(info) } else { end(info, of: object) }
  }

  /// Ends an observation whose registration can't be removed.
  func endWithoutObject(_ info: KVOInfo) {
    end(info)
    if info.usesContext { _ = takeRegistration(of: info) }
  }

  // MARK: Registrations by context

  /// A registration that is made, or is about to be.
  private struct Registration {
    let info: KVOInfo
    var isMade = false
  }

  /// The registrations by context, in several tables, so that notifications of different observations rarely wait for each
  /// other. Created with the first registration.
  private static let tables = (0..<16).map { _ in LockedState<[UInt: Registration]>([:]) }

  private func table(of context: UInt) -> LockedState<[UInt: Registration]> {
    Self.tables[Int(context % UInt(Self.tables.count))]
  }

  /// The number by which a path of an object is observed by name and context, which is never used again; 0 if it isn't.
  ///
  /// A path of several keys is, as FBKVOController observes it, if the object is retained, and if there are only foreign
  /// objects on the path. To remove such a registration Foundation reads the path.
  static func context(for path: ObservedPath, of object: KeyValueObservable, isRetained: Bool) -> UInt {
    guard FoundationWay.isTaken(with: object), path.isNamed,
      path.isSame(as: .named(path.name, of: object), at: object)
    else { return 0 }
    if path.name.contains(".") {
      let hasOnlyForeignObjects =
        FoundationWay.isAlwaysTaken ? path.hasOnlyNames : path.leadsThroughForeignObjects(from: object)
      guard isRetained, hasOnlyForeignObjects else { return 0 }
    }
    return UInt(truncatingIfNeeded: kvo_next_number())
  }

  /// Registers by name and context.
  ///
  /// Foundation sends the initial notification before it registers, so a change in between would be lost. Here the
  /// registration is made first, without that option, and the notification is sent afterwards.
  private func register(_ info: KVOInfo, with object: KeyValueObservable) {
    let context = info.contextNumber
    table(of: context).withLock { $0[context] = Registration(info: info) }
    // What has ended it before this has found no registration; what ends it now takes it.
    guard !info.hasEnded else { return _ = takeRegistration(of: info) }
    object.addObserver(
      self, forKeyPath: info.path.name, options: info.options.subtracting(.initial), context: info.contextPointer)
    let isTaken = table(of: context).withLock { table in
      table[context]?.isMade = true
      return table[context] == nil
    }
    if isTaken { return unregister(info, from: object) }
    if info.options.contains(.initial), !info.hasEnded {
      info.lendInitial(of: object) { info.send($0) }
    }
  }

  /// Takes the registration of an observation out of its table.
  ///
  /// - Returns: Whether the caller must remove it from the object.
  private func takeRegistration(of info: KVOInfo) -> Bool {
    let context = info.contextNumber
    return table(of: context).withLock { $0.removeValue(forKey: context) }?.isMade == true
  }

  private func unregister(_ info: KVOInfo, from object: KeyValueObservable) {
    object.removeObserver(self, forKeyPath: info.path.name, context: info.contextPointer)
  }

  /// The observation that a context represents; nil if it has ended.
  private func info(_ context: UnsafeMutableRawPointer?) -> KVOInfo? {
    let number = UInt(bitPattern: context)
    let info = table(of: number).withLock { $0[number]?.info }
    return info?.hasEnded == false ? info : nil
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let info = info(context), let object = object as? KeyValueObservable else { return }
    info.lend(change ?? [:], of: object) { info.send($0) }
  }
}

extension KVOInfo {
  fileprivate var contextPointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: contextNumber) }
}
