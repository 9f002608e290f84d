#if canImport(ObjectiveC)
import ObjectiveC

/// Base class of portable models: the same source compiles and behaves alike on Apple platforms and elsewhere.
///
/// Properties marked ``Observed`` take part in Key-Value Coding and Key-Value Observing under their own names; so do
/// computed properties that the class lists in ``keyPaths``. Here Foundation does the observing; this class makes the
/// properties known to it, which it would otherwise know only as `@objc dynamic`.
open class KeyValueObject: NSObject {
  /// Creates an object that nobody observes.
  public override init() {
    super.init()
  }

  /// The keys of this class that are not ``Observed``, each with the key path that reads and, if writable, sets it:
  /// `["fullName": \Person.fullName]`.
  ///
  /// A class lists its own; those of its superclasses count too.
  open class var keyPaths: [String: AnyKeyPath] { [:] }

  // The storage of an @Observed property isn't what Key-Value Coding takes it for.
  open override class var accessInstanceVariablesDirectly: Bool { false }

  /// The value of an `@Observed` property, or of a key in ``keyPaths``.
  open override func value(forUndefinedKey key: String) -> Any? {
    let properties = ClassProperties.of(self)
    if let declared = properties.declaredKeyPath(key) { return declared.value(self) }
    if let field = properties.field(key) { return field.value(of: self) }
    return super.value(forUndefinedKey: key)
  }

  /// Sets an `@Observed` property, or a key in ``keyPaths``, and notifies as Foundation does for its own.
  open override func setValue(_ value: Any?, forUndefinedKey key: String) {
    let properties = ClassProperties.of(self)
    let declared = properties.declaredKeyPath(key)
    let field = properties.field(key)
    guard let assignment = declared?.assignment(value) ?? field?.assignment(of: value) else {
      return super.setValue(value, forUndefinedKey: key)
    }
    switch assignment {
    case .ready(let assign):
      // An @Observed property notifies by itself.
      let notifies = field == nil && type(of: self).automaticallyNotifiesObservers(forKey: key)
      if notifies { willChangeValue(forKey: key) }
      assign(self)
      if notifies { didChangeValue(forKey: key) }
    case .nilForNonOptional:
      setNilValueForKey(key)
    case .readOnly:
      super.setValue(value, forUndefinedKey: key)
    case .wrongType(let expected):
      Assignment.refuse(value, forKey: key, of: self, expected: expected)
    }
  }
}
#endif
