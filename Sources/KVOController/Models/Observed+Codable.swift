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
