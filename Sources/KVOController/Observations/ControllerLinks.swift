/// The links from a controller's observations to the controller's store.
class ObservationOwner {
  /// Ends an observation. Does nothing if it has ended.
  func end(_ info: KVOInfo) {}

  /// The object of an observation; nil if the observation has ended, or the object is deallocated.
  func object(of info: KVOInfo) -> KeyValueObservable? { nil }

  /// How often all observations were ended.
  var endings: Int { 0 }

  /// Removes an observation that has ended because its object is in its `deinit`.
  func removeOfDeallocatedObject(_ info: KVOInfo) {}
}

/// A controller's observer and store, both held weakly, for all observations of the controller.
///
/// - Thread safety: The store is set once, before any other thread sees it. Weak references may be read on any thread.
final class ControllerLinks: @unchecked Sendable {
  /// The observer, unless its `deinit` has begun.
  let observer: WeakReference
  // Not one of Swift's own, which would make every retain and release of the store slower.
  private var weakStore = WeakReference(nil)

  init(_ observer: AnyObject?) {
    self.observer = WeakReference(observer.flatMap { isInDeinit($0) ? nil : $0 })
  }

  /// The controller's store, unless its `deinit` has begun.
  var store: ObservationOwner? { weakStore.object.map { unsafeDowncast($0, to: ObservationOwner.self) } }

  func connect(_ store: ObservationOwner) {
    weakStore = WeakReference(store)
  }
}
