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
  var store: ObservationStore? { weakStore.object.map { unsafeDowncast($0, to: ObservationStore.self) } }

  func connect(_ store: ObservationStore) {
    weakStore = WeakReference(store)
  }
}
