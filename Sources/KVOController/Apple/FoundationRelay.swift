#if canImport(ObjectiveC)
/// The protocol that declares the methods with typed key paths.
///
/// They have the names of Foundation's, and are preferred for a ``KeyValueObject``. No other type conforms.
public protocol _KeyValueObjectObserving: _KeyValueCodingAndObserving {}

extension KeyValueObject: _KeyValueObjectObserving {}

extension KeyValueObject {
  /// Observes a path with a closure that takes the object, which is an `Object`, and the change.
  final func observation<Object, Value>(
    of path: ObservedPath, options: NSKeyValueObservingOptions,
    _ changeHandler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let key = FoundationRelay(ChangeRelay(path, options))
    // Foundation's declaration requires a Sendable handler, which it calls on the thread that makes the change, as this
    // method does.
    nonisolated(unsafe) let handler: (FoundationRelay, NSKeyValueObservedChange<Value>) -> Void = { key, change in
      guard let object = key.relay.object as? Object else { return }
      changeHandler(object, change)
    }
    return key.relay.begin(at: self, for: key) { options in
      let token = key.observe(FoundationRelay.keyPath(), options: options) { handler($0, $1) }
      token.associate(key, FoundationRelay.key, replacing: true)
      return token
    }
  }
}

/// An object whose ``value`` Foundation observes, for key paths without an Objective-C name. The token retains it.
private final class FoundationRelay: NSObject, RelayedKey {
  let relay: ChangeRelay

  init(_ relay: ChangeRelay) {
    self.relay = relay
  }

  // Foundation's token calls one of them when it is invalidated or released.

  override func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
    super.removeObserver(observer, forKeyPath: keyPath, context: context)
    relay.keyIsUnobserved()
  }

  override func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    super.removeObserver(observer, forKeyPath: keyPath)
    relay.keyIsUnobserved()
  }

  deinit {
    relay.end()
  }

  @objc dynamic var value: Any? { relay.value }

  func willChange(_ kind: NSKeyValueChange, at indexes: IndexSet?) {
    if let indexes {
      willChange(kind, valuesAt: indexes, forKey: "value")
    } else {
      willChangeValue(forKey: "value")
    }
  }

  func didChange(_ kind: NSKeyValueChange, at indexes: IndexSet?) {
    if let indexes {
      didChange(kind, valuesAt: indexes, forKey: "value")
    } else {
      didChangeValue(forKey: "value")
    }
  }

  /// The key path of ``value``, as one to a `Value`: Foundation uses only its name, and converts the value that it gets for it.
  static func keyPath<Value>() -> KeyPath<FoundationRelay, Value> {
    unsafeBitCast(\FoundationRelay.value as AnyObject, to: KeyPath<FoundationRelay, Value>.self)
  }

  static let key = AssociationKey()
}
#endif
