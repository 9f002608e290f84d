/// Elements of collections, as Foundation's methods give and take them: as objects, where a nil element is `NSNull`.
enum ObjectBridging {
  /// The object that stands for `element`: never an Optional.
  static func object<Element>(_ element: Element) -> Any {
    guard Element.self is any OptionalValue.Type || Element.self == Any.self else { return element }
    return flattened(element) ?? NSNull()
  }

  /// `object` as an element, converted as Key-Value Coding converts; nil if it can't be.
  static func element<Element>(_ object: Any, _ type: Element.Type) -> Element? {
    let value = flattened(object) ?? NSNull()
    if value is NSNull, let optional = Element.self as? any OptionalValue.Type { return optional.null as? Element }
    return ValueConversion.convert(value, to: Element.self)
  }

  /// `object` as the element that is equal to it: a number that would lose something on the way is equal to none.
  static func equalElement<Element>(_ object: Any, _ type: Element.Type) -> Element? {
    guard let element = element(object, type) else { return nil }
    if let number = object as? NSNumber, let converted = element as? NSNumber, number != converted { return nil }
    return element
  }

  /// Whether Foundation's collections take two objects for equal.
  static func areEqual(_ left: Any, _ right: Any) -> Bool {
    let (left, right) = (left as AnyObject, right as AnyObject)
    if let left = left as? NSObject { return left.isEqual(right) }
    return left === right
  }

  /// Whether two objects are one: values never are.
  static func areIdentical(_ left: Any, _ right: Any) -> Bool {
    type(of: left) is AnyClass && type(of: right) is AnyClass && left as AnyObject === right as AnyObject
  }

  /// What is the same for equal objects, and only for those.
  ///
  /// The Foundation of Swift 6.3 can't hash an `NSDecimalNumber`, and gives each `NSNull` a hash of its own.
  static func identity(of object: Any) -> AnyHashable {
    if object is NSNull { return Null.null }
    if let decimal = object as? Decimal {
      let number = NSNumber(value: Double(decimal.description) ?? .nan)
      return Decimal(string: number.stringValue) == decimal ? number : decimal
    }
    let boxed = object as AnyObject
    return (boxed as? NSObject).map { AnyHashable($0) } ?? AnyHashable(ObjectIdentifier(boxed))
  }

  private enum Null { case null }
}
