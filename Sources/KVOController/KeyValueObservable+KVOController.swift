extension KeyValueObservable {
  /// The controller that observes for this object: made when it is first read, and kept as long as the object lives.
  ///
  /// It keeps the objects alive that it observes, except this one. It may be read on any thread. In the object's
  /// `deinit` none is made: what is read there, if there was none before, observes for nobody.
  public var kvoController: KVOController {
    get { controller(.controller, retainObserved: true) }
    set { associate(newValue, .controller, replacing: true) }
  }

  /// The controller that observes for this object without keeping alive what it observes.
  ///
  /// It is for objects that hold this one, which they would keep alive through ``kvoController``, and be kept by it.
  public var kvoControllerNonRetaining: KVOController {
    get { controller(.nonRetainingController, retainObserved: false) }
    set { associate(newValue, .nonRetainingController, replacing: true) }
  }

  private func controller(_ key: AssociationKey, retainObserved: Bool) -> KVOController {
    if let controller = associatedObject(key) as? KVOController { return controller }
    guard !isInDeinit(self) else { return KVOController(observer: nil, retainObserved: retainObserved) }
    let made = KVOController(observer: self, retainObserved: retainObserved)
    return associate(made, key, replacing: false) as? KVOController ?? made
  }
}

extension AssociationKey {
  static let controller = AssociationKey()
  static let nonRetainingController = AssociationKey()
}
