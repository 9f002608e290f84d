import KVOController
import Testing

/// A coder with a configuration, whose results can be compared as texts.
struct Coder: Sendable, CustomTestStringConvertible {
  let name: String
  private let write: @Sendable (any Encodable) throws -> Data
  private let read: @Sendable (any Decodable.Type, Data) throws -> any Decodable

  var testDescription: String { name }

  func encode(_ value: some Encodable) throws -> String {
    let data = try write(value)
    return String(data: data, encoding: .utf8) ?? data.base64EncodedString()
  }

  func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    let data = name.hasPrefix("binary") ? Data(base64Encoded: text) ?? Data() : Data(text.utf8)
    return try read(type, data) as! Value
  }

  /// The error of decoding, with its path and text.
  func failure<Model: Decodable>(_ type: Model.Type, _ text: String) -> String {
    do {
      _ = try decode(type, text)
      return "none"
    } catch { return "\(error)".replacingOccurrences(of: "Plain", with: "") }
  }

  static let json = json("JSON") { _ in
  } _: { _ in
  }
  static let iso = json("JSON with ISO dates") {
    $0.dateEncodingStrategy = .iso8601
  } _: {
    $0.dateDecodingStrategy = .iso8601
  }

  static let all = [
    json, iso,
    json("JSON with other strategies") {
      $0.dateEncodingStrategy = .millisecondsSince1970
      $0.dataEncodingStrategy = .deferredToData
      $0.keyEncodingStrategy = .convertToSnakeCase
      $0.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "∞", negativeInfinity: "-∞", nan: "?")
    } _: {
      $0.dateDecodingStrategy = .millisecondsSince1970
      $0.dataDecodingStrategy = .deferredToData
      $0.keyDecodingStrategy = .convertFromSnakeCase
      $0.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "∞", negativeInfinity: "-∞", nan: "?")
    },
    json("JSON with custom strategies") {
      $0.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode("\(encoder.codingPath.map(\.stringValue)) \(date.timeIntervalSinceReferenceDate)")
      }
    } _: {
      $0.dateDecodingStrategy = .custom { decoder in
        let text = try decoder.singleValueContainer().decode(String.self)
        return Date(timeIntervalSinceReferenceDate: Double(text.split(separator: " ").last ?? "") ?? 0)
      }
    },
    propertyList("property list", .xml), propertyList("binary property list", .binary),
  ]

  private static func json(
    _ name: String, _ configure: @escaping @Sendable (JSONEncoder) -> Void,
    _ configureDecoder: @escaping @Sendable (JSONDecoder) -> Void
  ) -> Coder {
    Coder(name: name) { value in
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      configure(encoder)
      return try encoder.encode(value)
    } read: { type, data in
      let decoder = JSONDecoder()
      configureDecoder(decoder)
      return try decoder.decode(type, from: data)
    }
  }

  private static func propertyList(_ name: String, _ format: PropertyListSerialization.PropertyListFormat) -> Coder {
    Coder(name: name) { value in
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      return try encoder.encode(value)
    } read: { type, data in
      try PropertyListDecoder().decode(type, from: data)
    }
  }
}

enum Temper: String, Codable { case calm, wild }

struct Credit: Codable {
  var name = ""
  var since: Date?
}

final class Track: KeyValueObject, Codable {
  @Observed var title = ""
  @Observed var plays = 0
  @Observed var small: UInt8 = 0
  @Observed var isLive = false
  @Observed var date = Date(timeIntervalSinceReferenceDate: 0)
  @Observed var dates: [Date] = []
  @Observed var note: String?
  @Observed var rating: Int?
  @Observed var ratio = 0.5
  @Observed var released: Date?
  @Observed var data = Data([1, 2])
  @Observed var url = URL(string: "https://example.org")!
  @Observed var price = Decimal(string: "9.95")!
  @Observed var mood = Temper.calm
  @Observed var longNameOfAKey: Float?
  @Observed var best: Credit?
  @Observed var others: [Credit] = []
  @Observed var ids: Set<Int> = []
}

final class PlainTrack: Codable {
  var title = ""
  var plays = 0
  var small: UInt8 = 0
  var isLive = false
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var dates: [Date] = []
  var note: String?
  var rating: Int?
  var ratio = 0.5
  var released: Date?
  var data = Data([1, 2])
  var url = URL(string: "https://example.org")!
  var price = Decimal(string: "9.95")!
  var mood = Temper.calm
  var longNameOfAKey: Float?
  var best: Credit?
  var others: [Credit] = []
  var ids: Set<Int> = []
}

extension Track {
  static var sample: Track {
    let track = Track()
    (track.title, track.plays, track.small, track.isLive) = ("Julia", -3, 255, true)
    track.date = Date(timeIntervalSinceReferenceDate: 86_400)
    track.dates = [track.date, Date(timeIntervalSinceReferenceDate: 0)]
    (track.note, track.rating, track.released) = ("x", 5, Date(timeIntervalSinceReferenceDate: 7))
    (track.mood, track.longNameOfAKey) = (.wild, 1.5)
    track.best = Credit(name: "Ann", since: track.date)
    track.others = [Credit(name: "Bo")]
    track.ids = [4]
    return track
  }

  var text: String {
    "\(title) \(plays) \(small) \(isLive) \(date) \(dates) \(String(describing: note)) \(String(describing: rating)) \(ratio)"
      + "\(String(describing: released)) \(data) \(url) \(price) \(mood) \(String(describing: longNameOfAKey))"
      + "\(String(describing: best)) \(others) \(ids)"
  }
}

extension PlainTrack {
  static var sample: PlainTrack {
    let track = PlainTrack()
    (track.title, track.plays, track.small, track.isLive) = ("Julia", -3, 255, true)
    track.date = Date(timeIntervalSinceReferenceDate: 86_400)
    track.dates = [track.date, Date(timeIntervalSinceReferenceDate: 0)]
    (track.note, track.rating, track.released) = ("x", 5, Date(timeIntervalSinceReferenceDate: 7))
    (track.mood, track.longNameOfAKey) = (.wild, 1.5)
    track.best = Credit(name: "Ann", since: track.date)
    track.others = [Credit(name: "Bo")]
    track.ids = [4]
    return track
  }

  var text: String {
    "\(title) \(plays) \(small) \(isLive) \(date) \(dates) \(String(describing: note)) \(String(describing: rating)) \(ratio)"
      + "\(String(describing: released)) \(data) \(url) \(price) \(mood) \(String(describing: longNameOfAKey))"
      + "\(String(describing: best)) \(others) \(ids)"
  }
}
