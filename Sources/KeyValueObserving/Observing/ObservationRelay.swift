/// An object whose property `value` relays a path of another object: changes of the path are notified as changes of `value`.
///
/// Subclasses declare the property. The relay retains its registration with the object, but not the object.
package class ObservationRelay: KeyValueObservable {
  private weak let observed: KeyValueObject?
  private let path: ObservedPath
  private let registration = Registration()

  package init(_ object: KeyValueObject, _ path: ObservedPath) {
    observed = object
    self.path = path
    super.init()
    registration.begin(self, object, path)
  }

  deinit {
    registration.end(observed)
  }

  /// The object; nil once its `deinit` has begun.
  package final var object: KeyValueObject? { observed }

  /// The value at the end of the path; nil if the path is nil at some step.
  package final var observedValue: Any? { observed.flatMap { path.value(of: $0) } }

  private func relay(_ change: [NSKeyValueChangeKey: Any]) {
    let kind = (change[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
    let isPrior = change[.notificationIsPriorKey] as? Bool == true
    if let indexes = change[.indexesKey] as? IndexSet {
      if isPrior {
        willChange(kind, valuesAt: indexes, forKey: "value")
      } else {
        didChange(kind, valuesAt: indexes, forKey: "value")
      }
    } else if isPrior {
      willChangeValue(forKey: "value")
    } else {
      didChangeValue(forKey: "value")
    }
  }

  /// The registration with the object, which ends with the relay or the object, whichever is deallocated first.
  ///
  /// - Thread safety: `hasEnded` is guarded by the lock; everything else is written once, before the registration.
  private final class Registration: KeyValueObservable, ObjectLifeline, @unchecked Sendable {
    private weak var relay: ObservationRelay?
    private var path: ObservedPath?
    private let lock = Lock()
    private var hasEnded = false

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func begin(_ relay: ObservationRelay, _ object: KeyValueObject, _ path: ObservedPath) {
      self.relay = relay
      self.path = path
      ObjectLifelines.insert(self, of: object)
      if path.isNamed {
        object.addObserver(self, forKeyPath: path.name, options: .prior, context: context)
      } else {
        FollowedRegistration.begin(self, of: object, path, options: .prior, context: context)
      }
    }

    /// - Parameter object: The object; nil if its `deinit` has begun, which ends the registration.
    func end(_ object: KeyValueObject?) {
      guard let object, unregister(from: object) else { return }
      ObjectLifelines.remove(self, of: object)
    }

    func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>, isReadable: Bool) {
      object._withUnsafeGuaranteedRef { _ = unregister(from: $0) }
    }

    private func unregister(from object: KeyValueObservable) -> Bool {
      let mustEnd = lock.withLock {
        defer { hasEnded = true }
        return !hasEnded
      }
      guard mustEnd, let path else { return false }
      if path.isNamed {
        object.removeObserver(self, forKeyPath: path.name, context: context)
      } else {
        FollowedRegistration.end(of: object, context: context)
      }
      return true
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      relay?.relay(change ?? [:])
    }
  }
}
