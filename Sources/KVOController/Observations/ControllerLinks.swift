/// A controller's observer and store, both held weakly, for all observations of the controller.
///
/// - Thread safety: The store is set once, before any other thread sees it. Weak references may be read on any thread.
final class ControllerLinks: @unchecked Sendable {
  /// The observer, unless its `deinit` has begun.
  let observer: WeakReference
  private(set) weak var store: ObservationStore?

  init(_ observer: AnyObject?) {
    self.observer = WeakReference(observer.flatMap { isInDeinit($0) ? nil : $0 })
  }

  func connect(_ store: ObservationStore) {
    self.store = store
  }
}
