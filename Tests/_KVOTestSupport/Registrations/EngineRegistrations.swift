import KVOController

/// Whether `addObserver` registers observers with Foundation, or with the stand-in for it, not with the engine.
#if canImport(ObjectiveC) || KVO_STAND_INS
private let foundationRegisters = true
#else
private let foundationRegisters = false
#endif

/// The registrations of an observer with the engine, where `addObserver` doesn't register with it.
///
/// Each has a controller of its own, so that an observer can be registered several times for the same key path, as with
/// `addObserver`. The observer retains them as long as it exists.
private final class EngineRegistrations: Sendable {
  private final class Registration {
    private(set) weak var object: KeyValueObservable?
    let identifier: ObjectIdentifier
    let keyPath: String
    let context: UnsafeMutableRawPointer?
    let controller: KVOController

    init(
      _ object: KeyValueObservable, _ keyPath: String, _ context: UnsafeMutableRawPointer?, _ controller: KVOController
    ) {
      self.object = object
      identifier = ObjectIdentifier(object)
      self.keyPath = keyPath
      self.context = context
      self.controller = controller
    }
  }

  private static let key = AssociationKey()
  private let registrations = Locked<[Registration]>([])
  private let sweepLimit = Locked(16)

  static func made(for observer: KeyValueObservable) -> EngineRegistrations? {
    observer.associate(EngineRegistrations(), key, replacing: false) as? EngineRegistrations
  }

  func add(
    _ observer: KeyValueObservable, to object: KeyValueObservable, _ keyPath: String,
    _ options: NSKeyValueObservingOptions, _ context: UnsafeMutableRawPointer?
  ) {
    sweep()
    let controller = KVOController(observer: observer, retainObserved: false)
    // It is there before the initial call, which may remove it.
    registrations.withLock { $0.append(Registration(object, keyPath, context, controller)) }
    controller.observe(object, keyPath: keyPath, options: options, context: context)
  }

  /// Removes the registrations with deallocated objects, when there are many.
  private func sweep() {
    let all = registrations.current
    guard all.count >= sweepLimit.current else { return }
    let left = Set(all.filter { $0.object != nil }.map { ObjectIdentifier($0) })
    let known = Set(all.map { ObjectIdentifier($0) })
    registrations.withLock { registrations in
      registrations.removeAll { known.contains(ObjectIdentifier($0)) && !left.contains(ObjectIdentifier($0)) }
    }
    sweepLimit.withLock { $0 = max(16, 2 * left.count) }
    withExtendedLifetime(all) {}
  }

  /// Removes the latest registration with this context, or with any if `context` is nil.
  ///
  /// - Returns: Whether there was one.
  func remove(_ object: KeyValueObservable, _ keyPath: String, _ context: UnsafeMutableRawPointer??) -> Bool {
    let identifier = ObjectIdentifier(object)
    let removed = registrations.withLock { registrations in
      let index = registrations.lastIndex {
        $0.identifier == identifier && $0.keyPath == keyPath && (context == nil || context == .some($0.context))
      }
      return index.map { registrations.remove(at: $0) }
    }
    removed?.controller.unobserveAll()
    return removed != nil
  }
}

extension KeyValueObservable {
  /// Registers this object with the engine as an observer of `object`, which may be a foreign one.
  ///
  /// It is `addObserver`, unless Foundation registers those that call it. They must be removed before they are deallocated,
  /// for example, and so aren't observers as the engine has them.
  package final func register(
    with object: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer? = nil
  ) {
    if foundationRegisters || isForeign(object) {
      EngineRegistrations.made(for: self)?.add(self, to: object, keyPath, options, context)
    } else {
      object.addObserver(self, forKeyPath: keyPath, options: options, context: context)
    }
  }

  /// Removes the latest registration with exactly this context.
  package final func unregister(
    from object: KeyValueObservable, _ keyPath: String, context: UnsafeMutableRawPointer? = nil
  ) {
    if foundationRegisters || isForeign(object) {
      removeFromEngine(object, keyPath, context)
    } else {
      object.removeObserver(self, forKeyPath: keyPath, context: context)
    }
  }

  /// Removes the latest registration, whatever its context.
  package final func unregister(fromAnyContextOf object: KeyValueObservable, _ keyPath: String) {
    if foundationRegisters || isForeign(object) {
      removeFromEngine(object, keyPath, .none)
    } else {
      object.removeObserver(self, forKeyPath: keyPath)
    }
  }

  private final func removeFromEngine(
    _ object: KeyValueObservable, _ keyPath: String, _ context: UnsafeMutableRawPointer??
  ) {
    // The engine's own method traps likewise.
    guard EngineRegistrations.made(for: self)?.remove(object, keyPath, context) == true else {
      fatalError("\(keyPath) isn't registered with \(object)")
    }
  }
}
