// The class hides the module of the same name, so the names of the module's types are repeated in it. Each of the public
// aliases below is what such a name stands for, because a name that is repeated would mean itself.

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
  /// ``/KVOController/KVOObservable``, for code that writes the module's name before it.
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  public typealias KVOObservable<Object: _KeyValueObservable> = _KVOObservable<Object>
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
/// What `KVOController.KVOObservable` stands for.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
public typealias _KVOObservable<Object: KeyValueObservable> = KVOObservable<Object>
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

// In the interface of a binary framework for Apple platforms, an alias of the module's own name can't begin with that name.
extension _KVOControllerNames {
  /// ``/KVOController/KVOController`` itself, for code that writes the module's name before that of the class.
  public typealias KVOController = _Class
}

extension KVOController: _KVOControllerNames {
  /// What `KVOController.KVOController` stands for.
  public typealias _Class = _KVOController
}
