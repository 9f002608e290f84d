/// Who observes: a controller and its observer, both held weakly, for all observations of the controller.
///
/// - Thread safety: The controller is written once, before anybody else sees it; weak references may be read on any
///   thread.
final class ObservingParties: @unchecked Sendable {
  private let weakObserver: WeakReference
  private(set) weak var controller: KVOController?

  init(_ observer: AnyObject?) {
    weakObserver = WeakReference(observer.flatMap { isInDeinit($0) ? nil : $0 })
  }

  var observer: AnyObject? { weakObserver.object }

  func begin(with controller: KVOController) {
    self.controller = controller
  }
}
