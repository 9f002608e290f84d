/// Whether a property that has one value has the other one already: an equal value, but only the same object. Optionals, arrays,
/// sets, and dictionaries are compared by what they contain.
///
/// The types are those that the values have, not those of their variables.
///
/// - Returns: nil if the values can't be compared, or differ and the first isn't equal to itself, as NaN isn't.
@usableFromInline
func isSame(_ left: Any, _ right: Any) -> Bool? {
  if type(of: left) is AnyObject.Type {
    guard type(of: right) is AnyObject.Type else { return false }
    let (left, right) = (left as AnyObject, right as AnyObject)
    return left === right || (isValue(left) && isValue(right) && (left as? NSObject)?.isEqual(right) == true)
  }
  guard type(of: left) == type(of: right) else { return false }
  if let left = left as? any ContentComparable { return left.hasSameContent(as: right) }
  return areEqual(left, right)
}

/// Whether two values of one type are equal. It asks for the conformance as Swift does, so one that belongs to an actor isn't
/// used elsewhere.
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
    return isPlain(first) ? areEqual(self, other) : areAllSame(zip(self, other.lazy.map { $0 }))
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
    if isPlain(first?.value) { return areEqual(self, other) }
    return areAllSame(lazy.map { key, value in (value, other[key]) })
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
