#if canImport(ObjectiveC)
import ObjectiveC

// FBKVOController's face for Objective-C, and the methods that take selectors. What Swift has under another name is
// hidden from it here. Handlers of Objective-C callers run on the thread that makes the change.

extension KVOController {
  /// Calls a method of the observer, by its selector, for each change of the value at a key path of `object`.
  ///
  /// The method takes nothing, the change, or the change and the object; an observer without it is a mistake that only
  /// debug builds stop at.
  @objc(observe:keyPath:options:action:)
  open func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], action: Selector
  ) {
    if observer?.responds(to: action) == false, let observer {
      misuseInDebugBuilds(
        "Cannot tell <\(name(observer))> of \"\(keyPath)\" by the method \(action)", because: "it has no such method",
        remedy: "Name a method of the observer's class.")
    }
    observe(object, keyPath, options, nil, nil) { observer, change in
      _ = (observer as? NSObjectProtocol)?.perform(action, with: change.dictionary, with: change.object)
    }
  }

  /// Calls a method of the observer, by its selector, for each change of the values at several key paths of `object`.
  @objc(observe:keyPaths:options:action:)
  open func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], action: Selector
  ) {
    requireKeyPaths(keyPaths, of: object)
    for keyPath in keyPaths {
      observe(object, keyPath: keyPath, options: options, action: action)
    }
  }
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

  /// `observer`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(observer)
  public var objectiveCObserver: AnyObject? { observer }

  /// `init(observer:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(controllerWithObserver:)
  public static func objectiveCController(observer: AnyObject?) -> KVOController {
    KVOController(observer: observer)
  }

  /// `observe(_:keyPath:options:block:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(observe:keyPath:options:block:)
  public func objectiveCObserve(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions, block: @escaping KVONotificationBlock
  ) {
    observe(object, keyPath: keyPath, options: options, isolation: nil, block: block)
  }

  /// `observe(_:keyPaths:options:block:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(observe:keyPaths:options:block:)
  public func objectiveCObserve(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions, block: @escaping KVONotificationBlock
  ) {
    observe(object, keyPaths: keyPaths, options: options, isolation: nil, block: block)
  }

  /// `observe(_:keyPath:options:context:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(observe:keyPath:options:context:)
  public func objectiveCObserve(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    observe(object, keyPath: keyPath, options: options, context: context)
  }

  /// `observe(_:keyPaths:options:context:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(observe:keyPaths:options:context:)
  public func objectiveCObserve(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    observe(object, keyPaths: keyPaths, options: options, context: context)
  }

  /// `unobserve(_:keyPath:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(unobserve:keyPath:)
  public func objectiveCUnobserve(_ object: Any?, keyPath: String) {
    unobserve(object, keyPath: keyPath)
  }

  /// `unobserve(_:)`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(unobserve:)
  public func objectiveCUnobserve(_ object: Any?) {
    unobserve(object)
  }

  /// `unobserveAll()`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(unobserveAll)
  public func objectiveCUnobserveAll() {
    unobserveAll()
  }
}

extension NSObject {
  /// `kvoController`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(KVOController)
  public var objectiveCController: KVOController {
    get { kvoController }
    set { kvoController = newValue }
  }

  /// `kvoControllerNonRetaining`, for Objective-C.
  @available(swift, obsoleted: 1)
  @objc(KVOControllerNonRetaining)
  public var objectiveCControllerNonRetaining: KVOController {
    get { kvoControllerNonRetaining }
    set { kvoControllerNonRetaining = newValue }
  }
}
#endif
