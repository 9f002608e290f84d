#if canImport(ObjectiveC)
import ObjectiveC

extension KeyValueObject {
  /// Registers an observer with Foundation, which must do so, because its own observers of paths and bindings accept only
  /// its notifications.
  open override func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    willBeObservedByFoundation()
    super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
  }

  /// Adds `setSharedObservers:` to the class, once, on systems that have it. It can't be overridden, because older SDKs don't
  /// declare it, and newer ones would take it for an override.
  static let hearsOfSharedObservers: Void = {
    guard let method = class_getInstanceMethod(NSObject.self, sharing),
      let implementation = class_getMethodImplementation(KeyValueObject.self, #selector(shareObservers(_:)))
    else { return }
    class_addMethod(KeyValueObject.self, sharing, implementation, method_getTypeEncoding(method))
  }()

  private static let sharing = NSSelectorFromString("setSharedObservers:")

  @objc(kvo_setSharedObservers:)
  private func shareObservers(_ observers: AnyObject?) {
    willBeObservedByFoundation()
    guard let foundation = class_getMethodImplementation(NSObject.self, Self.sharing) else { return }
    typealias Method = @convention(c) (NSObject, Selector, AnyObject?) -> Void
    unsafeBitCast(foundation, to: Method.self)(self, Self.sharing, observers)
  }

  /// Foundation is there itself.
  @inline(__always)
  final func notifyStandIn(_ edge: Edge, _ key: String, _ mutation: Mutation) {}

  /// Whether the class has a setter of Objective-C for a key, in which Foundation notifies by itself.
  final func hasSetterOfFoundation(_ key: String) -> Bool {
    responds(toAnyOf: ["set", "_set", "setIs"].map { $0 + Self.capitalized(key) + ":" })
  }

  /// Whether the class has methods of Objective-C that insert objects into the collection for a key, or add them.
  final func hasMutatorsOfFoundation(_ key: String) -> Bool {
    let name = Self.capitalized(key)
    return responds(
      toAnyOf: ["insertObject:in\(name)AtIndex:", "insert\(name):atIndexes:", "add\(name)Object:", "add\(name):"])
  }

  /// Whether Foundation has registered observers without calling ``addObserver(_:forKeyPath:options:context:)``, as for the
  /// elements of an array, and notifies them in the setter for a key. The object's class is replaced then.
  final func hasHiddenObservers(settingThrough key: String) -> Bool {
    object_getClass(self) != type(of: self) && hasSetterOfFoundation(key)
  }

  private final func responds(toAnyOf selectors: [String]) -> Bool {
    selectors.contains { responds(to: NSSelectorFromString($0)) }
  }

  private static func capitalized(_ key: String) -> String { key.prefix(1).uppercased() + key.dropFirst() }

  /// Whether setting the value for a listed key sends a message of Objective-C, in which Foundation notifies by itself.
  final func isSetThroughFoundation(_ key: String) -> Bool {
    properties.listed[key]?.component?.identity?.foundationName(in: type(of: self)) != nil
  }
}
#endif
