#if !canImport(ObjectiveC)
/// What `observe(_:options:changeHandler:)` gives: the observation lasts until it is released or told to end.
///
/// It holds neither the object nor is it held by it; the object may die first.
public class NSKeyValueObservation: NSObject {
  private let observer: KeyValueClosureObserver

  init(_ observer: KeyValueClosureObserver) {
    self.observer = observer
    super.init()
  }

  deinit {
    observer.invalidate()
  }

  /// Ends the observation; a second time it does nothing. May be called on any thread, and from inside the handler.
  public func invalidate() {
    observer.invalidate()
  }
}
#endif
