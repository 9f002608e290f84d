/// A dictionary with keys and values of any types, as Key-Value Coding reads it.
protocol ObjectDictionary {
  var count: Int { get }
  /// Whether a string can be a key, or stand for one.
  var answersToNames: Bool { get }
  /// All keys with their values, in no particular order.
  var entries: [(key: Any, value: Any)] { get }
  /// The value for a key that is a string.
  func object(forName name: String) -> Any?
}

extension ObjectDictionary {
  /// The value for the key. The keys `@count`, `@allKeys`, and `@allValues` are the dictionary's own properties.
  func value(forKey key: String) -> Any? {
    guard key.hasPrefix("@") else { return object(forName: key) }
    switch key {
    case "@count": return NSNumber(value: count)
    case "@allKeys": return entries.map(\.key)
    case "@allValues": return entries.map(\.value)
    default:
      misuse(
        undefinedKey: key, of: "\(type(of: self))",
        remedy: "Use @count, @allKeys, or @allValues. Other operators follow a collection, such as @allValues.")
    }
  }
}

extension Dictionary: ObjectDictionary {
  var entries: [(key: Any, value: Any)] { map { ($0.key, ObjectBridging.object($0.value)) } }

  var answersToNames: Bool {
    "" is Key || Key.self == Substring.self || (Key.self as? any RawRepresentable.Type)?.isNamed == true
  }

  func object(forName name: String) -> Any? {
    let key =
      name as Any as? Key ?? Substring(name) as Any as? Key ?? (Key.self as? any RawRepresentable.Type)?.named(name)
    return key.flatMap { self[$0] }
  }
}

extension RawRepresentable {
  fileprivate static var isNamed: Bool { RawValue.self == String.self }

  /// The value for which a string stands, as a `Value`, which is this type.
  fileprivate static func named<Value>(_ name: String) -> Value? {
    guard isNamed else { return nil }
    return Self(rawValue: exactCast(name, to: RawValue.self)) as? Value
  }
}

extension NSDictionary: ObjectDictionary {
  var entries: [(key: Any, value: Any)] { map { (ObjectBridging.bridged($0.key), ObjectBridging.bridged($0.value)) } }

  var answersToNames: Bool { true }

  func object(forName name: String) -> Any? {
    if let object = object(forKey: name) { return object }
    // A dictionary of Swift's that Objective-C has bridged has the keys themselves.
    guard let first = keyEnumerator().nextObject(), first is any RawRepresentable else { return nil }
    return allKeys.first { ($0 as? any RawRepresentable)?.rawValue as? String == name }.flatMap { object(forKey: $0) }
  }
}

/// Converts elements of collections to and from the objects that Foundation's methods use. A nil element is `NSNull`.
enum ObjectBridging {
  /// The object for `element`, which is never an Optional.
  static func object<Element>(_ element: Element) -> Any {
    guard Element.self is any OptionalValue.Type || Element.self == Any.self else { return element }
    return unwrapped(element) ?? NSNull()
  }

  /// `object` as an element, converted as in Key-Value Coding; nil if it can't be converted.
  static func element<Element>(_ object: Any, _ type: Element.Type) -> Element? {
    if Swift.type(of: object) == Element.self { return exactCast(object, to: Element.self) }
    return try? ValueConverter.element(unwrapped(object) ?? NSNull(), to: type)
  }

  /// `object` as the element that is equal to it; nil for a number that would lose precision.
  static func equalElement<Element>(_ object: Any, _ type: Element.Type) -> Element? {
    guard let element = element(object, type) else { return nil }
    if let number = number(object), let converted = self.number(element), number != converted { return nil }
    return element
  }

  /// Whether two objects are equal for Foundation's collections.
  static func isEqual(_ left: Any, _ right: Any) -> Bool {
    let (leftObject, rightObject) = (left as AnyObject, right as AnyObject)
    if leftObject === rightObject || (leftObject as? NSObject)?.isEqual(rightObject) == true { return true }
    // Foundation knows neither classes of Swift nor values that aren't Hashable.
    return !(type(of: left) is NSObject.Type) && areEqual(left, right) == true
  }

  /// Whether two objects are identical, which values never are.
  static func areIdentical(_ left: Any, _ right: Any) -> Bool {
    type(of: left) is AnyClass && type(of: right) is AnyClass && left as AnyObject === right as AnyObject
  }

  /// A number as an object; nil for another value. In an executable that is linked statically, a cast doesn't convert a `Decimal`.
  static func number(_ value: Any) -> NSNumber? {
    type(of: value) == Decimal.self ? NSDecimalNumber(decimal: exactCast(value, to: Decimal.self)) : value as? NSNumber
  }

  /// An element as Foundation's collections return it, so that strings, for instance, are Swift's.
  static func bridged(_ element: Any) -> Any { NSArray(array: [element]).object(at: 0) }

  /// What an `AnyHashable` contains, unwrapped; any other value as it is.
  static func base(of value: Any) -> Any? {
    guard type(of: value) == AnyHashable.self else { return value }
    return unwrapped(exactCast(value, to: AnyHashable.self).base)
  }

  static func hashable(_ value: Any) -> AnyHashable? {
    (value as? Decimal).map(AnyHashable.init) ?? value as? AnyHashable
  }

  /// A value that is equal for equal objects only.
  ///
  /// The Foundation of Swift 6.3 can't hash an `NSDecimalNumber`, and gives each `NSNull` a hash of its own.
  static func identity(of object: Any) -> AnyHashable {
    if object is NSNull { return ObjectIdentifier(NSNull.self) }
    if let decimal = object as? Decimal {
      let number = NSNumber(value: Double(decimal.description) ?? .nan)
      return Decimal(string: number.stringValue) == decimal ? number : decimal
    }
    let boxed = object as AnyObject
    return (boxed as? NSObject).map { AnyHashable($0) } ?? object as? AnyHashable
      ?? AnyHashable(ObjectIdentifier(boxed))
  }
}
