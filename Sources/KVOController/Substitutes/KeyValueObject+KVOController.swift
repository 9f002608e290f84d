#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// A controller that observes on behalf of this object, created on first use and released with the object.
  ///
  /// It retains the objects that it observes, except this one. You can read it on any thread. If it is first read in
  /// `deinit`, it returns a controller without an observer. Setting another controller ends the observations of this
  /// one, unless it is referenced elsewhere.
  public var kvoController: KVOController {
    get { controller(.controller, retainObserved: true) }
    set { associate(newValue, .controller, replacing: true) }
  }

  /// A controller that observes on behalf of this object without retaining what it observes.
  ///
  /// Use it when the observed object retains this one, so that the two don't form a retain cycle. In all else it is
  /// like ``kvoController``.
  public var kvoControllerNonRetaining: KVOController {
    get { controller(.nonRetainingController, retainObserved: false) }
    set { associate(newValue, .nonRetainingController, replacing: true) }
  }
}
#endif
