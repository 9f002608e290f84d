#if canImport(ObjectiveC)
// Methods of Objective-C, as FBKVOController's category has them: a subclass can override them, and they are found
// through `AnyObject`.
extension NSObject {
  /// A controller that observes on behalf of this object, created on first use and released with the object.
  ///
  /// It retains the objects that it observes, except this one. You can read it on any thread. If it is first read in
  /// `deinit`, it returns a controller without an observer. Setting another controller ends the observations of this
  /// one, unless it is referenced elsewhere.
  ///
  /// Setting nil in Objective-C ends the observations too, and a new controller takes its place.
  @objc(KVOController)
  open var kvoController: KVOController {
    get { controller(.controller, retainObserved: true) }
    set { setController(newValue, .controller, retainObserved: true) }
  }

  /// A controller that observes on behalf of this object without retaining what it observes.
  ///
  /// Use it when the observed object retains this one, so that the two don't form a retain cycle. In all else it is
  /// like ``kvoController``.
  @objc(KVOControllerNonRetaining)
  open var kvoControllerNonRetaining: KVOController {
    get { controller(.nonRetainingController, retainObserved: false) }
    set { setController(newValue, .nonRetainingController, retainObserved: false) }
  }

  private func setController(_ controller: KVOController, _ key: AssociationKey, retainObserved: Bool) {
    // Objective-C's nil, which this type can't be, is nil of its Optional. Nothing can refer to an object weakly once it
    // is being deallocated.
    let controller =
      unsafeBitCast(controller, to: KVOController?.self)
      ?? KVOController(observer: isInDeinit(self) ? nil : self, retainObserved: retainObserved)
    associate(controller, key, replacing: true)
  }
}
#endif
