#if !canImport(ObjectiveC)
/// A token that `observe(_:options:changeHandler:)` returns. The observation ends when the token is invalidated or
/// released.
///
/// The token and the object don't retain each other; either can be deallocated first.
public class NSKeyValueObservation: NSObject {
  private let observer: KeyValueClosureObserver

  init(_ observer: KeyValueClosureObserver) {
    self.observer = observer
    super.init()
  }

  deinit {
    observer.invalidate()
  }

  /// Ends the observation. Does nothing if it has ended. You can call it on any thread, and from inside the handler.
  public func invalidate() {
    observer.invalidate()
  }
}
#endif
