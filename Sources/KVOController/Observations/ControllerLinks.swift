/// A controller's observer and store, both held weakly, for all observations of the controller.
///
/// - Thread safety: The store is set once, before any other thread sees it. Weak references may be read on any thread.
final class ControllerLinks: @unchecked Sendable {
  private let weakObserver: WeakReference
  private(set) weak var store: ObservationStore?

  init(_ observer: AnyObject?) {
    weakObserver = WeakReference(observer.flatMap { isInDeinit($0) ? nil : $0 })
  }

  /// The observer, unless its `deinit` has begun.
  var observer: AnyObject? { weakObserver.object }

  func connect(_ store: ObservationStore) {
    self.store = store
  }
}
