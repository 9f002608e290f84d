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
