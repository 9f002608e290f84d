// A property is coded as its value would be without the wrapper: through the coder's container, so that the coder's
// strategies apply, and with the container's method for the value's type. The compiler calls the methods of the keyed containers
// below for the `@Observed` properties of a class that is Codable, because they are more specific than the containers' own.

extension Observed: Encodable where Value: Encodable {
  /// Encodes the value, without a level of its own.
  @inlinable
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Observed: Decodable where Value: Decodable {
  /// Creates the property with a decoded value.
  @inlinable
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension KeyedEncodingContainer {
  /// Encodes the value of an ``Observed`` property, as one without the wrapper.
  @inlinable
  public mutating func encode<Value: Encodable>(_ observed: Observed<Value>, forKey key: Key) throws {
    try encodeValue(observed.value, forKey: key)
  }

  /// Encodes the value of an ``Observed`` property, and for nil what the encoder encodes for Optionals, usually nothing.
  @inlinable
  public mutating func encode<Value: Encodable>(_ observed: Observed<Value?>, forKey key: Key) throws {
    try encodeValueIfPresent(observed.value, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Decodes the value of an ``Observed`` property, as one without the wrapper.
  @inlinable
  public func decode<Value: Decodable>(_ type: Observed<Value>.Type, forKey key: Key) throws -> Observed<Value> {
    Observed(wrappedValue: try decodeValue(Value.self, forKey: key))
  }

  /// Decodes the value of an ``Observed`` property, which is nil if it is null or missing.
  @inlinable
  public func decode<Value: Decodable>(_ type: Observed<Value?>.Type, forKey key: Key) throws -> Observed<Value?> {
    Observed(wrappedValue: try decodeValueIfPresent(Value.self, forKey: key))
  }
}

// A weak property is coded as a plain weak one: the object is written where it is, and one that is read is gone unless something
// else retains it.

extension ObservedWeak: Encodable where Object: Encodable {
  /// Encodes the object, without a level of its own.
  @inlinable
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension ObservedWeak: Decodable where Object: Decodable {
  /// Creates the property with a decoded object, which it doesn't retain.
  @inlinable
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Object?.self))
  }
}

extension KeyedEncodingContainer {
  /// Encodes the object of an ``ObservedWeak`` property, as of a weak one without the wrapper.
  @inlinable
  public mutating func encode<Object: Encodable>(_ observed: ObservedWeak<Object>, forKey key: Key) throws {
    try encodeIfPresent(observed.value, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Decodes the object of an ``ObservedWeak`` property, which doesn't retain it. It is nil if it is null or missing.
  @inlinable
  public func decode<Object: Decodable>(_ type: ObservedWeak<Object>.Type, forKey key: Key) throws -> ObservedWeak<
    Object
  > {
    ObservedWeak(wrappedValue: try decodeIfPresent(Object.self, forKey: key))
  }
}

// A keyed container has a method of its own for each of these types, which the compiler calls for a plain property. Coders of
// flat rows, for instance, write text with their generic method. Where the compiler knows the type, it removes all cases but one.

extension KeyedEncodingContainer {
  @inlinable
  @inline(__always)
  mutating func encodeValue<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if Value.self == Bool.self { return try encode(exactCast(value, to: Bool.self), forKey: key) }
    if Value.self == String.self { return try encode(exactCast(value, to: String.self), forKey: key) }
    if Value.self == Double.self { return try encode(exactCast(value, to: Double.self), forKey: key) }
    if Value.self == Float.self { return try encode(exactCast(value, to: Float.self), forKey: key) }
    if Value.self == Int.self { return try encode(exactCast(value, to: Int.self), forKey: key) }
    if Value.self == Int8.self { return try encode(exactCast(value, to: Int8.self), forKey: key) }
    if Value.self == Int16.self { return try encode(exactCast(value, to: Int16.self), forKey: key) }
    if Value.self == Int32.self { return try encode(exactCast(value, to: Int32.self), forKey: key) }
    if Value.self == Int64.self { return try encode(exactCast(value, to: Int64.self), forKey: key) }
    if Value.self == UInt.self { return try encode(exactCast(value, to: UInt.self), forKey: key) }
    if Value.self == UInt8.self { return try encode(exactCast(value, to: UInt8.self), forKey: key) }
    if Value.self == UInt16.self { return try encode(exactCast(value, to: UInt16.self), forKey: key) }
    if Value.self == UInt32.self { return try encode(exactCast(value, to: UInt32.self), forKey: key) }
    if Value.self == UInt64.self { return try encode(exactCast(value, to: UInt64.self), forKey: key) }
    try encode(value, forKey: key)
  }

  @inlinable
  @inline(__always)
  mutating func encodeValueIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value, hasMethodOfContainers(Value.self) else { return try encodeIfPresent(value, forKey: key) }
    try encodeValue(value, forKey: key)
  }
}

extension KeyedDecodingContainer {
  @inlinable
  @inline(__always)
  func decodeValue<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if type == Bool.self { return exactCast(try decode(Bool.self, forKey: key), to: type) }
    if type == String.self { return exactCast(try decode(String.self, forKey: key), to: type) }
    if type == Double.self { return exactCast(try decode(Double.self, forKey: key), to: type) }
    if type == Float.self { return exactCast(try decode(Float.self, forKey: key), to: type) }
    if type == Int.self { return exactCast(try decode(Int.self, forKey: key), to: type) }
    if type == Int8.self { return exactCast(try decode(Int8.self, forKey: key), to: type) }
    if type == Int16.self { return exactCast(try decode(Int16.self, forKey: key), to: type) }
    if type == Int32.self { return exactCast(try decode(Int32.self, forKey: key), to: type) }
    if type == Int64.self { return exactCast(try decode(Int64.self, forKey: key), to: type) }
    if type == UInt.self { return exactCast(try decode(UInt.self, forKey: key), to: type) }
    if type == UInt8.self { return exactCast(try decode(UInt8.self, forKey: key), to: type) }
    if type == UInt16.self { return exactCast(try decode(UInt16.self, forKey: key), to: type) }
    if type == UInt32.self { return exactCast(try decode(UInt32.self, forKey: key), to: type) }
    if type == UInt64.self { return exactCast(try decode(UInt64.self, forKey: key), to: type) }
    return try decode(type, forKey: key)
  }

  @inlinable
  @inline(__always)
  func decodeValueIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard hasMethodOfContainers(type) else { return try decodeIfPresent(type, forKey: key) }
    return try contains(key) && !decodeNil(forKey: key) ? decodeValue(type, forKey: key) : nil
  }
}

@inlinable
@inline(__always)
func hasMethodOfContainers<Value>(_ type: Value.Type) -> Bool {
  type == Bool.self || type == String.self || type == Double.self || type == Float.self || type == Int.self
    || type == Int8.self || type == Int16.self || type == Int32.self || type == Int64.self || type == UInt.self
    || type == UInt8.self || type == UInt16.self || type == UInt32.self || type == UInt64.self
}
