/// Converts values for Key-Value Coding to the type of a property. To convert the elements of a collection, it is created
/// once.
struct ValueConverter<Value> {
  private let rule = ConversionRule(to: Value.self)

  func callAsFunction(_ value: Any) -> Result<Value, RefusedValue> {
    if type(of: value) == Value.self { return .success(exactCast(value, to: Value.self)) }
    if type(of: value) == AnyHashable.self, Value.self != Any.self, let base = ObjectBridging.base(of: value) {
      return self(base)
    }
    switch rule.convert(value) {
    case .success(let converted):
      if type(of: converted) == Value.self { return .success(exactCast(converted, to: Value.self)) }
      return (converted as? Value).map { .success($0) } ?? .failure(RefusedValue(value, Value.self))
    case .failure(let refused): return .failure(refused)
    }
  }
}

/// A type to which values are converted by a rule of its own: an Optional, or one of Swift's collections.
protocol ConvertibleValue {
  static var conversionRule: ConversionRule { get }
}

/// How values are converted to a type, for code that knows it only at run time.
struct ConversionRule {
  let convert: (Any) -> Result<Any, RefusedValue>

  init(_ convert: @escaping (Any) -> Result<Any, RefusedValue>) {
    self.convert = convert
  }

  /// - Parameter convert: Returns nil for a value that can't be converted.
  private init(to type: Any.Type, _ convert: @escaping (Any) -> Any?) {
    self.convert = { value in convert(value).map { .success($0) } ?? .failure(RefusedValue(value, type)) }
  }

  init<Value>(to type: Value.Type) {
    if type == Any.self {
      self.init { .success($0) }
    } else if type == AnyHashable.self {
      self.init(to: type, ObjectBridging.hashable)
    } else if let type = type as? any ConvertibleValue.Type {
      self = type.conversionRule
    } else if let collection = ConversionRule(toCollection: type) {
      self = collection
    } else if let number = ConversionRule(toNumber: type) {
      self = number
    } else if let raw = type as? any RawRepresentable.Type {
      self.init(toRawRepresentable: raw)
    } else {
      // A structure in an `NSValue`, or an object or a value of Swift that Foundation can bridge.
      self.init(to: type) { value in (value as? Value) ?? Self.structure(value, as: type) }
    }
  }

  private init<Raw: RawRepresentable>(toRawRepresentable type: Raw.Type) {
    let convert = ValueConverter<Raw.RawValue>()
    self.init(to: type) { value in (value as? Raw) ?? convert(value).value.flatMap(Raw.init(rawValue:)) }
  }

  private init?(toNumber type: Any.Type) {
    switch type {
    case let type as any FixedWidthInteger.Type:
      self.init(to: type) { NumberValue($0)?.integer(as: type) }
    case let type as any BinaryFloatingPoint.Type:
      self.init(to: type) { NumberValue($0)?.binary(as: type) }
    case is Bool.Type:
      self.init(to: type) { NumberValue($0)?.isTrue }
    case is Decimal.Type:
      self.init(to: type) { NumberValue($0)?.decimal }
    case is NSDecimalNumber.Type:
      self.init(to: type) { ($0 as? NSDecimalNumber) ?? NumberValue($0)?.decimal.map(NSDecimalNumber.init) }
    case is NSNumber.Type:
      self.init(to: type) { ($0 as? NSNumber) ?? NumberValue($0)?.number }
    default:
      return nil
    }
  }
}

// Every collection is read element by element: casts of Foundation lose the elements of subclasses on Linux.

extension Array: ConvertibleValue {
  static var conversionRule: ConversionRule {
    let convert = ValueConverter<Element>()
    return ConversionRule(Self.self, ConversionRule.orderedObjects) { objects in
      convert.elements(objects) { "at index \($0)" }.map { $0 as Any }
    }
  }
}

extension Set: ConvertibleValue {
  static var conversionRule: ConversionRule {
    let convert = ValueConverter<Element>()
    return ConversionRule(Self.self, ConversionRule.objects) { objects in
      convert.elements(objects) { _ in "in the set" }.map { Set($0) as Any }
    }
  }
}

extension Dictionary: ConvertibleValue {
  static var conversionRule: ConversionRule {
    let (convertKey, convert) = (ValueConverter<Key>(), ValueConverter<Value>())
    return ConversionRule(Self.self, { ($0 as? any ObjectDictionary)?.entries }) { entries in
      var dictionary = Dictionary(minimumCapacity: entries.count)
      for entry in entries {
        switch (convertKey.element(entry.key), convert.element(entry.value)) {
        case (.success(let key), .success(let value)):
          // Otherwise an entry would be lost.
          guard dictionary.updateValue(value, forKey: key) == nil else {
            return .failure(
              RefusedValue(entry.key, Key.self).inside("among the keys, where another one becomes equal,"))
          }
        case (.failure(let refused), _): return .failure(refused.inside("among the keys"))
        case (_, .failure(let refused)): return .failure(refused.inside("for the key \(entry.key)"))
        }
      }
      return .success(dictionary)
    }
  }
}

extension ValueConverter {
  /// Converts an element of a collection, where `NSNull` stands for nil.
  func element(_ object: Any) -> Result<Value, RefusedValue> {
    let object = ObjectBridging.base(of: object) ?? NSNull()
    if type(of: object) == NSNull.self, let optional = Value.self as? any OptionalValue.Type,
      let null = optional.null as? Value
    {
      return .success(null)
    }
    return self(object)
  }

  /// - Parameter place: Returns the place of the element at an index, for messages.
  fileprivate func elements(_ objects: [Any], at place: (Int) -> String) -> Result<[Value], RefusedValue> {
    var elements: [Value] = []
    elements.reserveCapacity(objects.count)
    for (index, object) in objects.enumerated() {
      switch element(object) {
      case .success(let element): elements.append(element)
      case .failure(let refused): return .failure(refused.inside(place(index)))
      }
    }
    return .success(elements)
  }
}

extension ConversionRule {
  /// - Parameters:
  ///   - contents: Returns the contents of a collection; nil for a value that can't be converted.
  ///   - make: Makes a collection of them.
  fileprivate init<Contents>(
    _ type: Any.Type, _ contents: @escaping (Any) -> Contents?,
    _ make: @escaping (Contents) -> Result<Any, RefusedValue>
  ) {
    self.init { value in contents(value).map(make) ?? .failure(RefusedValue(value, type)) }
  }

  /// The elements of a collection that has an order.
  fileprivate static func orderedObjects(_ value: Any) -> [Any]? {
    guard let collection = value as? any ToManyCollection, collection.kind != .set else { return nil }
    return collection.objects
  }

  /// The elements of any collection.
  fileprivate static func objects(_ value: Any) -> [Any]? {
    (value as? any ToManyCollection)?.objects
  }
}

// MARK: Foundation's collections

/// A view of a property, of which conversions make copies.
protocol CollectionView: AnyObject {}

extension ConversionRule {
  /// The rule for one of Foundation's collections; nil for another type.
  init?(toCollection type: Any.Type) {
    if type == NSArray.self {
      self.init(NSArray.self, Self.orderedObjects) { NSArray(array: $0) }
    } else if type == NSMutableArray.self {
      self.init(NSMutableArray.self, Self.orderedObjects) { NSMutableArray(array: $0) }
    } else if type == NSOrderedSet.self {
      self.init(NSOrderedSet.self, Self.orderedObjects) { DistinctValues($0).orderedSet }
    } else if type == NSMutableOrderedSet.self {
      self.init(NSMutableOrderedSet.self, Self.orderedObjects) {
        NSMutableOrderedSet(orderedSet: DistinctValues($0).orderedSet)
      }
    } else if type == NSSet.self {
      self.init(NSSet.self, Self.objects) { NSSet(array: $0) }
    } else if type == NSMutableSet.self {
      self.init(NSMutableSet.self, Self.objects) { NSMutableSet(array: $0) }
    } else if type == NSCountedSet.self {
      self.init(NSCountedSet.self, Self.objects) { NSCountedSet(array: $0) }
    } else if type == NSDictionary.self {
      self.init(NSDictionary.self, Self.hashableEntries) { NSDictionary(dictionary: $0) }
    } else if type == NSMutableDictionary.self {
      self.init(NSMutableDictionary.self, Self.hashableEntries) { NSMutableDictionary(dictionary: $0) }
    } else {
      return nil
    }
  }

  private init<Collection: AnyObject, Contents>(
    _ type: Collection.Type, _ contents: @escaping (Any) -> Contents?, _ make: @escaping (Contents) -> Collection
  ) {
    let rule = ConversionRule(type as Any.Type, contents) { .success(make($0)) }
    self.init { value in
      // The type is compared because a cast would bridge Swift's collections.
      let isCollection = Swift.type(of: value) is Collection.Type && !(Swift.type(of: value) is any CollectionView.Type)
      return isCollection ? .success(value) : rule.convert(value)
    }
  }

  private static func hashableEntries(_ value: Any) -> [AnyHashable: Any]? {
    ValueConverter<[AnyHashable: Any]>()(value).value
  }
}

/// A value that can't be converted, and its place in the collection that was to be converted.
struct RefusedValue: Error {
  // A conversion returns it to its caller, on the same thread.
  nonisolated(unsafe) let value: Any
  let expected: Any.Type
  /// The places in nested collections, the outermost first; empty if the value itself can't be converted.
  private(set) var places: [String] = []

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
}

// MARK: Misuse

extension Result where Failure == RefusedValue {
  /// The converted value; nil if it was refused.
  var value: Success? { if case .success(let value) = self { value } else { nil } }
}

extension RefusedValue {
  /// The reason in messages.
  ///
  /// - Parameter whole: The type to which the whole value was to be converted.
  func reason(_ whole: Any.Type) -> String {
    if places.isEmpty { return "it must be of type \(whole), but is of type \(type(of: value))" }
    return """
      it must be of type \(whole), but its element \(places.joined(separator: ", ")) can't be converted to \(expected): \
      it is of type \(type(of: value))
      """
  }

  /// The value in messages, shortened.
  var text: String {
    let text = "\(value)"
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}
