extension KeyValueObservable {
  /// The controller of this object under a key, created on first use.
  func controller(_ key: AssociationKey, retainObserved: Bool) -> KVOController {
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
