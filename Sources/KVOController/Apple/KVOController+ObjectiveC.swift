#if canImport(ObjectiveC)
import ObjectiveC

// FBKVOController's interface for Objective-C, and the methods that take selectors. Methods that Swift has under another name are
// hidden from it here. Handlers of Objective-C callers run on the thread that makes the change. Objective-C can pass nil for any
// argument: with a nil block or selector nothing is observed.

extension KVOController {
  /// Calls a method of the observer, by its selector, for each change of the value at a key path of `object`.
  ///
  /// The method is called on the thread that makes the change. It takes nothing, the change, or the change and the
  /// object. An observer without the method asserts in debug builds, and isn't called in release builds. In all else it
  /// is like the form with a block.
  @objc(observe:keyPath:options:action:)
  open func observe(_ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], action: Selector) {
    observe(object, [keyPath], options, action)
  }

  /// Calls a method of the observer, by its selector, for each change of the values at several key paths of `object`.
  ///
  /// If there are several, the change also contains the one that changed, under `NSKeyValueChangeKey.keyPathKey`. In
  /// all else it is like the form for one key path.
  @objc(observe:keyPaths:options:action:)
  open func observe(_ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], action: Selector) {
    observe(object, keyPaths, options, action)
  }

  private func observe(
    _ object: Any?, _ keyPaths: [String], _ options: NSKeyValueObservingOptions, _ action: Selector
  ) {
    // Objective-C's null, which a selector of Swift can't be, is nil of its Optional.
    guard let action = unsafeBitCast(action, to: Selector?.self) else { return }
    if observer?.responds(to: action) == false, let observer {
      misuseInDebugBuilds(
        "Cannot notify <\(debugName(of: observer))> of \"\(keyPaths.joined(separator: ", "))\" by the method \(action)",
        because: "it has no such method", remedy: "Pass a selector that the observer's class implements.")
    }
    let areSeveral = keyPaths.count > 1
    let handler: KVOInfo.Handler = { observer, change in
      guard let observer = observer as? NSObjectProtocol, observer.responds(to: action),
        let method = class_getMethodImplementation(object_getClass(observer), action)
      else { return }
      // `perform(_:with:with:)` would autorelease the observer, because it could return a pointer into it. As there, a method that
      // takes fewer arguments leaves the others in their registers.
      typealias Method = @convention(c) (NSObjectProtocol, Selector, [NSKeyValueChangeKey: Any], Any?) -> Void
      let dictionary = areSeveral ? change.dictionaryWithKeyPath : change.dictionary
      unsafeBitCast(method, to: Method.self)(observer, action, dictionary, change.object)
    }
    observe(object, keyPaths) {
      Request(
        path: $0, options: options, identity: .none, destination: .threadOfChange, form: .action, handler: handler)
    }
  }

  /// Stops observing all key paths of `object`. Does nothing if none is observed.
  ///
  /// A controller is an `NSObject` here, so it would otherwise stop as a ``KVOObserver`` what its own controller
  /// observes.
  @nonobjc
  public func unobserve(_ object: NSObject) {
    unobserve(object as Any?)
  }
}

/// The initializer that Objective-C calls, so that it can be called on a class that is known only at run time.
@objc private protocol ObserverInitializable {
  @objc(initWithObserver:)
  init(objectiveCObserver observer: AnyObject?)
}

extension KVOController {
  /// `init(observer:retainObserved:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(initWithObserver:retainObserved:)
  public convenience init(objectiveCObserver observer: AnyObject?, retainObserved: Bool) {
    self.init(observer: observer, retainObserved: retainObserved)
  }

  /// `init(observer:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(initWithObserver:)
  public convenience init(objectiveCObserver observer: AnyObject?) {
    self.init(observer: observer)
  }

  /// Creates a controller of the class that receives the message, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(controllerWithObserver:)
  @discardableResult
  public static func objectiveCController(observer: AnyObject?) -> Self {
    // Swift calls only `required` initializers on a class that may be a subclass, and these aren't, or each subclass
    // would have to repeat them. As in Objective-C, the message goes to the class at hand: a metatype of a protocol of
    // Objective-C is just that class, and every subclass of this class answers the message.
    let receiver = unsafeBitCast(self as AnyClass, to: (any ObserverInitializable.Type).self)
    return unsafeDowncast(receiver.init(objectiveCObserver: observer) as AnyObject, to: self)
  }

  /// `observe(_:keyPath:options:block:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(observe:keyPath:options:block:)
  public func objectiveCObserve(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions, block: FBKVONotificationBlock?
  ) {
    guard let block else { return }
    observe(object, keyPath: keyPath, options: options, block: block)
  }

  /// `observe(_:keyPaths:options:block:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(observe:keyPaths:options:block:)
  public func objectiveCObserve(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions, block: FBKVONotificationBlock?
  ) {
    guard let block else { return }
    observe(object, keyPaths: keyPaths, options: options, block: block)
  }
}

// Methods of Objective-C, as FBKVOController's category has them: a subclass can override them, and they are found
// through `AnyObject`.
extension NSObject {
  /// A controller that observes on behalf of this object, created on first use and released with the object.
  ///
  /// It retains the objects that it observes, except this one. You can read it on any thread. Setting another
  /// controller ends the observations of this one, unless something else retains it; so does setting nil in
  /// Objective-C.
  @objc(KVOController)
  open var kvoController: KVOController {
    get { self[controller: .controller, retainObserved: true] }
    set { setController(newValue, .controller, retainObserved: true) }
  }

  /// A controller like ``kvoController`` that doesn't retain what it observes.
  ///
  /// Use it when the observed object retains this one, so that the two don't form a retain cycle.
  @objc(KVOControllerNonRetaining)
  open var kvoControllerNonRetaining: KVOController {
    get { self[controller: .nonRetainingController, retainObserved: false] }
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
