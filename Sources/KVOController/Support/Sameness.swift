/// Whether a property that has one value has the other one already: an equal value, but only the same object. Optionals, arrays,
/// sets, and dictionaries are compared by what they contain.
///
/// The types are those that the values have, not those of their variables.
///
/// - Returns: nil if the values can't be compared, or differ and the first isn't equal to itself, as NaN isn't.
@usableFromInline
func isSame(_ left: Any, _ right: Any) -> Bool? {
  // The commonest types, because finding out what a type conforms to takes long.
  switch ObjectIdentifier(type(of: left)) {
  case ObjectIdentifier(Bool.self): return (left as? Bool) == (right as? Bool)
  case ObjectIdentifier(Int.self): return (left as? Int) == (right as? Int)
  case ObjectIdentifier(String.self): return (left as? String) == (right as? String)
  default: break
  }
  if type(of: left) is AnyObject.Type {
    guard type(of: right) is AnyObject.Type else { return false }
    let (left, right) = (left as AnyObject, right as AnyObject)
    return left === right || (isValue(left) && isValue(right) && (left as? NSObject)?.isEqual(right) == true)
  }
  guard type(of: left) == type(of: right) else { return false }
  if let left = left as? any ContentComparable { return left.hasSameContent(as: right) }
  return areEqual(left, right)
}

/// Whether two values differ; nil if that can't be told, because they can't be compared, or neither is equal to itself.
func differ(_ left: Any, _ right: Any) -> Bool? { (isSame(left, right) ?? isSame(right, left)).map { !$0 } }

/// A value for later comparison. It doesn't retain an object that is compared by identity, which a weak property may lead to.
struct RememberedValue<Value> {
  private let value: Value?
  private let object: Reference?

  private final class Reference {
    let weak: WeakReference
    init(_ object: AnyObject) { weak = WeakReference(object) }
  }

  init(_ value: Value) {
    if let object = Self.object(value) {
      (self.value, self.object) = (nil, Reference(object))
    } else {
      (self.value, self.object) = (value, nil)
    }
  }

  func differs(from other: Value) -> Bool? {
    // One that is deallocated since is nil.
    if let object { return object.weak.object !== Self.object(other) }
    return value.flatMap { differ($0, other) }
  }

  /// The object, perhaps in an Optional, that a value is, if it is compared by identity.
  private static func object(_ value: Value) -> AnyObject? {
    guard let value = unwrapped(value), type(of: value) is AnyObject.Type, !isValue(value as AnyObject) else {
      return nil
    }
    return isInDeinit(value as AnyObject) ? nil : value as AnyObject
  }
}

/// Whether two values of one type are equal. It asks for the conformance as Swift does, so one that belongs to an actor is
/// used only there.
func areEqual(_ left: Any, _ right: Any) -> Bool? {
  func open<Value: Equatable>(_ left: Value) -> Bool? {
    guard let right = right as? Value else { return false }
    return left == right ? true : left == left ? false : nil
  }
  return (left as? any Equatable).flatMap { open($0) }
}

/// Whether an object is an immutable value of Foundation's.
private func isValue(_ object: AnyObject) -> Bool {
  switch object {
  case is NSMutableData, is NSMutableAttributedString: false
  // On Apple platforms immutable strings are of a subclass of `NSMutableString` too. Their copy is the same object.
  case let string as NSString: string.copy() as AnyObject === string
  case is NSValue, is NSDate, is NSData, is NSURL, is NSUUID, is NSAttributedString: true
  default: false
  }
}

/// A value that is compared by what it contains.
private protocol ContentComparable {
  /// - Parameter other: A value of this type.
  func hasSameContent(as other: Any) -> Bool?
}

extension Optional: ContentComparable {
  fileprivate func hasSameContent(as other: Any) -> Bool? {
    guard let other = other as? Self else { return false }
    switch (self, other) {
    case (let left?, let right?): return isSame(left, right)
    case (nil, nil): return true
    default: return false
    }
  }
}

extension Array: ContentComparable {
  fileprivate func hasSameContent(as other: Any) -> Bool? {
    guard let other = other as? Self, count == other.count else { return false }
    return isPlain(first) ? areEqual(self, other) : areAllSame(zip(self, other.lazy.map(Optional.some)))
  }
}

extension Set: ContentComparable {
  fileprivate func hasSameContent(as other: Any) -> Bool? {
    guard let other = other as? Self, count == other.count else { return false }
    if isPlain(first) { return areEqual(self, other) }
    return areAllSame(lazy.map { element in (element, other.firstIndex(of: element).map { other[$0] }) })
  }
}

extension Dictionary: ContentComparable {
  fileprivate func hasSameContent(as other: Any) -> Bool? {
    guard let other = other as? Self, count == other.count else { return false }
    if isPlain(first?.key), isPlain(first?.value) { return areEqual(self, other) }
    let pairs = lazy.map { entry in (entry, other.index(forKey: entry.key).map { other[$0] }) }
    return areAllSame(pairs.map { ($0.key, $1?.key) }) == false
      ? false : areAllSame(pairs.map { ($0.value, $1?.value) })
  }
}

extension AnyHashable: ContentComparable {
  fileprivate func hasSameContent(as other: Any) -> Bool? {
    (other as? Self).flatMap { isSame(base, $0.base) }
  }
}

/// Whether the elements of a collection can be neither objects nor contain any that are compared by identity; `first` is one of
/// them.
private func isPlain<Element>(_ first: Element?) -> Bool {
  guard let first else { return true }
  return !(Element.self is AnyObject.Type) && type(of: first as Any) == Element.self
    && !(Element.self is any ContentComparable.Type)
}

private func areAllSame<Element>(_ pairs: some Sequence<(Element, Element?)>) -> Bool? {
  var result: Bool? = true
  for (left, right) in pairs {
    guard let right else { return false }
    switch isSame(left, right) {
    case true?: continue
    case false?: return false
    case nil: result = nil
    }
  }
  return result
}
