#if !canImport(ObjectiveC)
/// A token that `observe(_:options:changeHandler:)` returns. The observation ends when the token is invalidated or
/// released.
///
/// The token and the object don't retain each other; either can be deallocated first.
public class NSKeyValueObservation: NSObject {
  private let end: () -> Void

  fileprivate init(end: @escaping () -> Void) {
    self.end = end
    super.init()
  }

  deinit {
    invalidate()
  }

  /// Ends the observation. Does nothing if it has ended. You can call it on any thread, and from inside the handler.
  public func invalidate() {
    end()
  }
}

/// A type that can be observed with typed key paths and closures. Only ``KeyValueObject`` conforms.
public protocol _KeyValueCodingAndObserving {}

extension KeyValueObject: _KeyValueCodingAndObserving {}

/// The protocol that declares the methods with typed key paths.
typealias _KeyValueObjectObserving = _KeyValueCodingAndObserving

extension KeyValueObject {
  /// Observes a path with a closure that takes the object, which is an `Object`, and the change.
  final func observation<Object, Value>(
    of path: ObservedPath, options: NSKeyValueObservingOptions,
    _ changeHandler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    #if KVO_STAND_INS
    if let makeKey = RelayedKeys.makeStandIn {
      let relay = ChangeRelay(path, options)
      let key = makeKey({ [weak relay] in relay?.value }, { [weak relay] in relay?.keyIsUnobserved() })
      return relay.begin(at: self, for: key) { options in
        let end = key.observe(options) { [weak relay] dictionary in
          guard let relay, let root = relay.object, let object = root as? Object else { return }
          // As Foundation creates it: nil of an Optional type is `.some(nil)`.
          let notRequested = (nil as Any?) as? Value
          relay.lend(dictionary, of: root) { change in
            changeHandler(object, NSKeyValueObservedChange(change, notRequested: notRequested))
          }
        }
        return NSKeyValueObservation { withExtendedLifetime(relay, end) }
      }
    }
    #endif
    let observance = ClosureObservance(path, options: options) { change in
      guard let object = change.object as? Object else { return }
      changeHandler(object, NSKeyValueObservedChange(change))
    }
    observance.begin(at: self)
    return NSKeyValueObservation { observance.end() }
  }
}

/// A change that `observe(_:options:changeHandler:)` passes to its handler.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of a change.
  public typealias Kind = NSKeyValueChange

  /// The kind of the change.
  public let kind: Kind
  /// The value after the change, or nil if you didn't request it. A requested value that is nil is `.some(nil)` if
  /// `Value` is an Optional.
  public let newValue: Value?
  /// The value before the change, or nil if you didn't request it. A requested value that is nil is `.some(nil)` if
  /// `Value` is an Optional.
  public let oldValue: Value?
  /// The indexes at which objects of a to-many property were inserted, removed, or replaced; nil for other changes.
  public let indexes: IndexSet?
  /// Whether this call precedes the change, with the option `.prior`.
  public let isPrior: Bool

  /// - Parameter notRequested: What a value is that wasn't requested.
  init(_ change: borrowing KeyValueChange, notRequested: Value? = nil) {
    kind = change.attributes.kind
    newValue = change.new.isRequested ? change.new.typed() : notRequested
    oldValue = change.old.isRequested ? change.old.typed() : notRequested
    indexes = change.indexes
    isPrior = change.attributes.isPrior
  }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
#endif
