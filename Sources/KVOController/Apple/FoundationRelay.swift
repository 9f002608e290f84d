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
    let relay = FoundationRelay(self, path, options)
    // Foundation's declaration requires a Sendable handler, which it calls on the thread that makes the change, as this
    // method does.
    nonisolated(unsafe) let handler: (FoundationRelay, NSKeyValueObservedChange<Value>) -> Void = { relay, change in
      guard let object = relay.object as? Object else { return }
      changeHandler(object, change)
    }
    let token = relay.observe(FoundationRelay.keyPath(), options: options) { handler($0, $1) }
    token.associate(relay, FoundationRelay.key, replacing: true)
    return token
  }
}

/// A relay for Foundation's typed observation: changes of a path of an object are notified as changes of ``value``.
///
/// Only Foundation can create its tokens and changes, and only for key paths with an Objective-C name, as that of ``value``
/// has. The token retains the relay, which retains its observance, but not the object.
private final class FoundationRelay: NSObject {
  private(set) weak var object: KeyValueObject?
  private var observance: Observance?
  private let changes = ChangeRelay()

  init(_ object: KeyValueObject, _ path: ObservedPath, _ options: NSKeyValueObservingOptions) {
    super.init()
    // An object in its deinit can't be referenced weakly, and isn't observed.
    guard !isInDeinit(object) else { return }
    self.object = object
    let observance = ClosureObservance(path, options: options.intersection(.old).union(.prior)) { [weak self] change in
      self?.relay(change.attributes, change.indexes, old: change.old.kept)
    }
    self.observance = observance
    observance.begin(at: object)
  }

  deinit {
    observance?.end()
  }

  /// The value at the end of the path; nil if the path is nil at some step.
  @objc dynamic var value: Any? {
    switch changes.heldValue {
    case .value(let old): return old
    case .null: return nil
    case .notRequested, nil: break
    }
    guard let object, case .value(let value) = observance?.read(from: object) else { return nil }
    return value
  }

  private func relay(_ attributes: ChangeAttributes, _ indexes: IndexSet?, old: ChangedValue) {
    changes.relay(attributes.kind, isPrior: attributes.isPrior, indexes, old: old) { kind, indexes in
      if let indexes {
        willChange(kind, valuesAt: indexes, forKey: "value")
      } else {
        willChangeValue(forKey: "value")
      }
    } didChange: { kind, indexes in
      if let indexes {
        didChange(kind, valuesAt: indexes, forKey: "value")
      } else {
        didChangeValue(forKey: "value")
      }
    }
  }

  /// The key path of ``value``, as one to a `Value`: Foundation uses only its name, and converts the value that it gets for it.
  static func keyPath<Value>() -> KeyPath<FoundationRelay, Value> {
    unsafeBitCast(\FoundationRelay.value as AnyObject, to: KeyPath<FoundationRelay, Value>.self)
  }

  static let key = AssociationKey()
}
#endif
