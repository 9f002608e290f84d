// FBKVOController's names, for code that was written for it.

/// ``KVOController``, under FBKVOController's name.
public typealias FBKVOController = KVOController

/// A block that a ``KVOController`` calls for a change, with the observer, the object, and the change.
///
/// `change` is Foundation's dictionary, which also contains the key path, under `NSKeyValueChangeKey.keyPathKey`.
public typealias FBKVONotificationBlock =
  (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the key path in a change; see `NSKeyValueChangeKey.keyPathKey`.
public let FBKVONotificationKeyPathKey = NSKeyValueChangeKey.keyPathKey.rawValue

extension NSKeyValueChangeKey {
  /// The key of the observed key path in the change that an ``FBKVONotificationBlock`` receives.
  public static let keyPathKey = Self(rawValue: "FBKVONotificationKeyPathKey")
}

// A module's interface (`.swiftinterface`) writes each name after that of the module, which means the class here. So the class repeats
// them, by public aliases, because a name that is repeated would mean itself.

extension KVOController {
  /// ``/KVOController/KVOController``, under FBKVOController's name, for code that writes the module's name before it.
  public typealias FBKVOController = _KVOController
  /// The block of FBKVOController, for code that writes the module's name before it.
  public typealias FBKVONotificationBlock = _FBKVONotificationBlock
  /// The change of a typed key path, for code that writes the module's name before it.
  public typealias KVOChange<Value> = _KVOChange<Value>
  /// The token of an observation, for code that writes the module's name before it.
  public typealias KVOObservation = _KVOObservation
  /// ``/KVOController/KVOObserver``, for code that writes the module's name before it.
  public typealias KVOObserver = _KVOObserver
  #if canImport(Observation)
  /// ``/KVOController/KVOObservable``, for code that writes the module's name before it.
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  public typealias KVOObservable<Object: _KeyValueObservable> = _KVOObservable<Object>
  #endif
  /// ``/KVOController/KeyValueObservable``, for code that writes the module's name before it.
  public typealias KeyValueObservable = _KeyValueObservable
  /// ``/KVOController/KeyValueObject``, for code that writes the module's name before it.
  public typealias KeyValueObject = _KeyValueObject
  /// ``/KVOController/Observed``, for code that writes the module's name before it.
  public typealias Observed<Value> = _Observed<Value>
  /// ``/KVOController/ObservedWeak``, for code that writes the module's name before it.
  public typealias ObservedWeak<Object: AnyObject> = _ObservedWeak<Object>
}

/// What `KVOController.KVOController` stands for.
public typealias _KVOController = KVOController
/// What `KVOController.FBKVONotificationBlock` stands for.
public typealias _FBKVONotificationBlock = FBKVONotificationBlock
/// What `KVOController.KVOChange` stands for.
public typealias _KVOChange<Value> = KVOChange<Value>
/// What `KVOController.KVOObservation` stands for.
public typealias _KVOObservation = KVOObservation
/// What `KVOController.KVOObserver` stands for.
public typealias _KVOObserver = KVOObserver
#if canImport(Observation)
/// What `KVOController.KVOObservable` stands for.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
public typealias _KVOObservable<Object: KeyValueObservable> = KVOObservable<Object>
#endif
/// What `KVOController.KeyValueObservable` stands for.
public typealias _KeyValueObservable = KeyValueObservable
/// What `KVOController.KeyValueObject` stands for.
public typealias _KeyValueObject = KeyValueObject
/// What `KVOController.Observed` stands for.
public typealias _Observed<Value> = Observed<Value>
/// What `KVOController.ObservedWeak` stands for.
public typealias _ObservedWeak<Object: AnyObject> = ObservedWeak<Object>

/// What has the class's own name as a member.
public protocol _KVOControllerNames {
  /// The class.
  associatedtype _Class
}

// In that interface an alias of the module's own name can't begin with this name, so it is an associated type's.
extension _KVOControllerNames {
  /// ``/KVOController/KVOController`` itself, for code that writes the module's name before that of the class.
  public typealias KVOController = _Class
}

extension KVOController: _KVOControllerNames {
  /// What `KVOController.KVOController` stands for.
  public typealias _Class = _KVOController
}

// What a reference to FBKVOController's methods names, because a reference has no default arguments. A call with a closure
// selects the form with an isolation, because that needs no conversion of the block to an Optional.
extension KVOController {
  /// Calls a block for each change of the value at a key path of `object`, on the thread that makes the change.
  ///
  /// It is there for references such as `controller.observe(_:keyPath:options:block:)`. A call with a closure selects
  /// the form that runs the block in the isolation of the caller, which this one is like in all else. nil for the block
  /// observes nothing.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions,
    block: (@Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(object, keyPath: keyPath, options: options, isolation: nil, block: block)
  }

  /// As ``observe(_:keyPath:options:block:)``, for several key paths.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions,
    block: (@Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(object, keyPaths: keyPaths, options: options, isolation: nil, block: block)
  }

  // Blocks as FBKVOController 1.1 and 1.2 declared them, whose changes have strings as keys. Swift chooses them only
  // where the current form of the block doesn't fit: it prefers a block that needs no conversion to an Optional.

  /// Calls a block for each change of the value at a key path of `object`, with a change whose keys are strings.
  ///
  /// This is the form of FBKVOController 1.1 and 1.2, whose blocks read `change["new"]`; nil for the block observes nothing.
  /// New code uses the form that this one is like in all else:
  /// ``observe(_:keyPath:options:identifier:isolation:block:)-(_,_,_,_,_,KVOController.FBKVONotificationBlock)``.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: ((_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(
      object, keyPath: keyPath, options: options, identifier: identifier, isolation: isolation,
      block: notificationBlock(block))
  }

  /// Calls a block for each change of the values at several key paths of `object`, with a change whose keys are strings.
  ///
  /// The change contains the key path under `FBKVONotificationKeyPathKey`. In all else it is like the form for one path.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: ((_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(
      object, keyPaths: keyPaths, options: options, identifier: identifier, isolation: isolation,
      block: notificationBlock(block))
  }

  /// The form with strings as keys, on the thread of the change.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, block: notificationBlock(block))
  }

  /// The form for several key paths with strings as keys, on the thread of the change.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, block: notificationBlock(block))
  }
}

/// A block that takes changes with strings as keys, in the form that blocks have now.
private func notificationBlock(
  _ block: @escaping (_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void
) -> FBKVONotificationBlock {
  { block($0, $1, Dictionary(uniqueKeysWithValues: $2.map { ($0.key.rawValue, $0.value) })) }
}

extension Dictionary where Key == NSKeyValueChangeKey {
  /// The value for a key that is a string, as in changes of FBKVOController 1.1 and 1.2: `change["new"]`.
  ///
  /// - Parameter key: The raw value of a key.
  public subscript(key: String) -> Value? { self[NSKeyValueChangeKey(rawValue: key)] }
}
