import CKeyValueObserving

/// The observer through which all controllers and paths observe objects of Foundation's. It owns the registrations,
/// each of one key of one object, and routes a change by its context pointer, which is a number that is never used
/// again, to the waypoint. The name is FBKVOController's.
final class KVOSharedController: KeyValueObservable {
  // Its state has a lock.
  nonisolated(unsafe) static let shared = KVOSharedController()

  /// The waypoints by number.
  private let waypoints = LockedState<[UInt: ForeignWaypoint]>([:])

  /// Registers for a key of an object, whose changes `waypoint` receives from now on. Returns the registration's number.
  func register(
    _ waypoint: ForeignWaypoint, with object: KeyValueObservable, _ key: String, _ options: NSKeyValueObservingOptions
  ) -> UInt {
    requireNoLock("Foundation is asked to register")
    let number = UInt(truncatingIfNeeded: kvo_next_number())
    waypoints.withLock { $0[number] = waypoint }
    object.addObserver(self, forKeyPath: key, options: options, context: UnsafeMutableRawPointer(bitPattern: number))
    return number
  }

  /// Removes a registration from the object. A call that is under way finds no waypoint.
  func remove(_ number: UInt, from object: KeyValueObservable, _ key: String) {
    requireNoLock("Foundation is asked to remove a registration")
    forget(number)
    object.removeObserver(self, forKeyPath: key, context: UnsafeMutableRawPointer(bitPattern: number))
  }

  /// Leaves a registration as it is, because it can't be removed any longer.
  func forget(_ number: UInt) {
    let waypoint = waypoints.withLock { $0.removeValue(forKey: number) }
    withExtendedLifetime(waypoint) {}
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let number = UInt(bitPattern: context)
    waypoints.withLock { $0[number] }?.receive(change ?? [:])
  }
}
