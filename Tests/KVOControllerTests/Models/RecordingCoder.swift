import KVOController

/// Which methods of a coder are called.
final class CallLog {
  var calls: [String] = []
}

/// An encoder that records which methods of its keyed container are called.
struct RecordingEncoder: Encoder {
  let log: CallLog
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Container(log: log))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { fatalError("not used") }
  func singleValueContainer() -> any SingleValueEncodingContainer { fatalError("not used") }

  private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let log: CallLog
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) { log.calls.append("nil \(key.stringValue)") }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) { log.calls.append("\(T.self) \(key.stringValue)") }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { fatalError("not used") }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { fatalError("not used") }
    mutating func superEncoder() -> any Encoder { RecordingEncoder(log: log) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { RecordingEncoder(log: log) }
  }
}

/// A decoder that records which methods of its keyed container are called.
struct RecordingDecoder: Decoder {
  let log: CallLog
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container(log: log))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { fatalError("not used") }
  func singleValueContainer() -> any SingleValueDecodingContainer { fatalError("not used") }

  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let log: CallLog
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    private func value<Value>(_ value: Value, _ key: Key) -> Value {
      log.calls.append("\(Value.self) \(key.stringValue)")
      return value
    }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { key.stringValue == "missing" }
    func decode(_ type: Bool.Type, forKey key: Key) -> Bool { value(true, key) }
    func decode(_ type: String.Type, forKey key: Key) -> String { value("", key) }
    func decode(_ type: Double.Type, forKey key: Key) -> Double { value(0, key) }
    func decode(_ type: Float.Type, forKey key: Key) -> Float { value(0, key) }
    func decode(_ type: Int.Type, forKey key: Key) -> Int { value(0, key) }
    func decode(_ type: Int8.Type, forKey key: Key) -> Int8 { value(0, key) }
    func decode(_ type: Int16.Type, forKey key: Key) -> Int16 { value(0, key) }
    func decode(_ type: Int32.Type, forKey key: Key) -> Int32 { value(0, key) }
    func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { value(0, key) }
    func decode(_ type: UInt.Type, forKey key: Key) -> UInt { value(0, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 { value(0, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 { value(0, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 { value(0, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 { value(0, key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      log.calls.append("generic \(T.self) \(key.stringValue)")
      return try JSONDecoder().decode(T.self, from: Data("[]".utf8))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { fatalError("not used") }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { fatalError("not used") }
    func superDecoder() -> any Decoder { RecordingDecoder(log: log) }
    func superDecoder(forKey key: Key) -> any Decoder { RecordingDecoder(log: log) }
  }
}

final class Primitives: KeyValueObject, Codable {
  @Observed var text = ""
  @Observed var number = 1
  @Observed var byte: UInt8 = 1
  @Observed var single: Float = 1
  @Observed var isOn = true
  @Observed var note: String? = ""
  @Observed var list: [Int] = []
  @Observed var array: [Int]? = []
  @Observed var missing: Int?
}

final class PlainPrimitives: Codable {
  var text = ""
  var number = 1
  var byte: UInt8 = 1
  var single: Float = 1
  var isOn = true
  var note: String? = ""
  var list: [Int] = []
  var array: [Int]? = []
  var missing: Int?
}
