/// Converts values for Key-Value Coding to the types of properties. Collections are read element by element, because
/// casts of Foundation's lose the elements of subclasses on Linux. What is thrown is a ``RefusedValue``, untyped: a
/// typed `throw` crashes Swift 6.3 with the SDK of iOS 16.
enum ValueConverter {
  static func convert<Value>(_ value: Any, to type: Value.Type = Value.self) throws -> Value {
    let actual = Swift.type(of: value)
    if actual == type { return exactCast(value, to: type) }
    // The types are compared because a cast would bridge Swift's collections. A view of a property is copied.
    if type == Any.self || actual is Value.Type && !(actual is any CollectionView.Type) { return value as! Value }
    if actual == AnyHashable.self, let base = ObjectBridging.base(of: value) { return try convert(base) }
    let converted = try object(value, as: type)
    if let converted, Swift.type(of: converted) == type { return exactCast(converted, to: type) }
    guard let converted = converted as? Value else { throw RefusedValue(value, type) }
    return converted
  }

  /// Converts an element of a collection, where `NSNull` stands for nil.
  static func element<Value>(_ object: Any, to type: Value.Type = Value.self) throws -> Value {
    let object = ObjectBridging.base(of: object) ?? NSNull()
    if Swift.type(of: object) == NSNull.self, let optional = type as? any OptionalValue.Type {
      return exactCast(optional.null, to: type)
    }
    return try convert(object)
  }

  fileprivate static func element<Value>(
    _ object: Any, _ place: @autoclosure () -> String
  ) throws -> Value {
    do { return try element(object) } catch let refused as RefusedValue { throw refused.inside(place()) }
  }

  /// The value as a type that isn't its own; nil if it can't be converted.
  private static func object<Value>(_ value: Any, as type: Value.Type) throws -> Any? {
    switch type {
    case is AnyHashable.Type: ObjectBridging.hashable(value)
    case let type as any ConvertibleValue.Type: try type.converted(from: value)
    case let type as any FixedWidthInteger.Type: NumberValue(value)?.integer(as: type)
    case let type as any BinaryFloatingPoint.Type: NumberValue(value)?.binary(as: type)
    case is Bool.Type: NumberValue(value).map { $0.binary(as: Double.self) != 0 }
    case is Decimal.Type: NumberValue(value)?.decimal
    case is NSDecimalNumber.Type: NumberValue(value)?.decimal.map(NSDecimalNumber.init)
    case is NSNumber.Type: (value as? NSNumber) ?? NumberValue(value)?.number
    case let type as any RawRepresentable.Type: raw(value, as: type)
    // A structure in an `NSValue`, or an object or a value of Swift that Foundation can bridge.
    default:
      try collection(value, as: type) ?? (value as? Value) ?? structure(value, as: type)
        ?? (value as? NSValue)?.structure(as: type)
    }
  }

  private static func raw<Raw: RawRepresentable>(_ value: Any, as type: Raw.Type) -> Raw? {
    // The cast takes a value out of the box in which Objective-C passes it.
    (value as? Raw) ?? (try? convert(value)).flatMap(Raw.init)
  }

  /// Whether a type has other values that are converted like this one: it is a number out of range, or one that no case has.
  fileprivate static func lacks(_ value: Any, _ type: Any.Type) -> Bool {
    func fails<Value>(_ type: Value.Type) -> Bool { (try? convert(value, to: type)) == nil }
    func isRaw<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool { !fails(Raw.RawValue.self) }
    let isOfNumbers = type is any Numeric.Type || type is NSDecimalNumber.Type
    let isLike = (type as? any RawRepresentable.Type).map { isRaw($0) } ?? (isOfNumbers && NumberValue(value) != nil)
    return isLike && _openExistential(type, do: fails)
  }

  /// The value as one of Foundation's collections, with the same elements; nil for another type.
  private static func collection(_ value: Any, as type: Any.Type) throws -> NSObject? {
    let collection: NSObject? =
      switch type {
      case is NSArray.Type: objects(value, ordered: true).map { NSArray(array: $0) }
      case is NSOrderedSet.Type: objects(value, ordered: true).map { DistinctValues($0).orderedSet }
      case is NSCountedSet.Type: objects(value).map { NSCountedSet(array: $0) }
      case is NSSet.Type: objects(value).map { NSSet(array: $0) }
      case is NSDictionary.Type: try [AnyHashable: Any].converted(from: value).map { NSDictionary(dictionary: $0) }
      default: nil
      }
    let isMutable =
      type is NSMutableArray.Type || type is NSMutableOrderedSet.Type || type is NSMutableSet.Type
      || type is NSMutableDictionary.Type
    return isMutable ? collection?.mutableCopy() as? NSObject : collection
  }

  /// The elements of a collection; nil for another value, and for a set if an order is needed.
  fileprivate static func objects(_ value: Any, ordered: Bool = false) -> [Any]? {
    guard let collection = value as? any ToManyCollection, !ordered || collection.kind != .set else { return nil }
    return collection.objects
  }
}

/// A view of a property, of which conversions make copies.
protocol CollectionView: AnyObject {}

// MARK: Optionals and Swift's collections

/// A type to which values are converted by a rule of its own.
private protocol ConvertibleValue {
  /// Returns nil if the value as a whole can't be converted.
  static func converted(from value: Any) throws -> Self?
}

extension Optional: ConvertibleValue {
  static func converted(from value: Any) throws -> Self? {
    // An `NSNull` is nil where it isn't a value itself.
    guard let value = unwrapped(value), type(of: value) != NSNull.self || value is Wrapped else { return .some(nil) }
    return try ValueConverter.convert(value, to: Wrapped.self)
  }
}

extension Array: ConvertibleValue {
  static func converted(from value: Any) throws -> Self? {
    guard let objects = ValueConverter.objects(value, ordered: true) else { return nil }
    var array: [Element] = []
    array.reserveCapacity(objects.count)
    for (index, object) in objects.enumerated() {
      array.append(try ValueConverter.element(object, "at index \(index)"))
    }
    return array
  }
}

extension Set: ConvertibleValue {
  static func converted(from value: Any) throws -> Self? {
    guard let objects = ValueConverter.objects(value) else { return nil }
    var set = Set(minimumCapacity: objects.count)
    for object in objects { set.insert(try ValueConverter.element(object, "in the set")) }
    return set
  }
}

extension Dictionary: ConvertibleValue {
  static func converted(from value: Any) throws -> Self? {
    guard let entries = (value as? any ObjectDictionary)?.entries else { return nil }
    var dictionary = Dictionary(minimumCapacity: entries.count)
    for (key, value) in entries {
      let converted: Value = try ValueConverter.element(value, "for the key \(key)")
      // Otherwise an entry would be lost.
      guard dictionary.updateValue(converted, forKey: try ValueConverter.element(key, "among the keys")) == nil else {
        throw RefusedValue(key, Key.self).inside("among the keys, where another one becomes equal,")
      }
    }
    return dictionary
  }
}

// MARK: Misuse

/// A value that can't be converted, and its place in the collection that was to be converted.
struct RefusedValue: Error {
  // A conversion throws it to its caller, on the same thread.
  nonisolated(unsafe) let value: Any
  let expected: Any.Type
  /// The places in nested collections, the outermost first; empty if the value itself can't be converted.
  private var places: [String] = []

  init(_ value: Any, _ expected: Any.Type) {
    self.value = value
    self.expected = expected
  }

  /// The same value as an element of a collection.
  func inside(_ place: String) -> RefusedValue {
    var refused = self
    refused.places.insert(place, at: 0)
    return refused
  }

  /// The reason in messages; `whole` is the type to which the whole value was to be converted.
  func reason(_ whole: Any.Type) -> String {
    if places.isEmpty { return "it must be of type \(whole), but is of type \(type(of: value))" }
    return """
      it must be of type \(whole), but its element \(places.joined(separator: ", ")) can't be converted to \(expected): \
      it is of type \(type(of: value))
      """
  }

  /// What is said of the value in messages, which show it shortened.
  var text: String {
    let text = "\(value)"
    let shortened = text.count > 200 ? text.prefix(200) + "…" : text
    return "It is \(shortened).\(ValueConverter.lacks(value, expected) ? " \(expected) has no such value." : "")"
  }
}
