import KVOController
import Testing
import _KVOTestSupport

/// Each test codes a model beside a class with plain properties of the same names.
@Suite(.watched) struct CodableTests {
  @Test(arguments: Coder.all) func aModelIsWrittenLikeAPlainClass(_ coder: Coder) throws {
    #expect(try coder.encode(Track.sample) == coder.encode(PlainTrack.sample))
    #expect(try coder.encode(Track()) == coder.encode(PlainTrack()))
  }

  @Test(arguments: Coder.all) func aModelReadsWhatAPlainClassWrites(_ coder: Coder) throws {
    for plain in [PlainTrack.sample, PlainTrack()] {
      let written = try coder.encode(plain)
      let track = try coder.decode(Track.self, written)
      #expect(try coder.encode(track) == written)
      #expect(track.text == (try coder.decode(PlainTrack.self, written)).text)
    }
  }

  @Test func nilIsLeftOut() throws {
    let text = try Coder.json.encode(Track())
    #expect(!text.contains("note"))
    #expect(!text.contains("null"))
  }

  @Test func missingKeysAndNullOfOptionalsAreNil() throws {
    let track = Track.sample
    #expect(track.note != nil && track.released != nil)
    for rest in ["", #", "note": null, "rating": null, "released": null, "best": null"#] {
      let text = Track.required.replacingOccurrences(of: "REST", with: rest)
      let (decoded, plain) = try (Coder.json.decode(Track.self, text), Coder.json.decode(PlainTrack.self, text))
      #expect(decoded.note == nil && decoded.rating == nil && decoded.released == nil && decoded.best == nil)
      #expect(decoded.text == plain.text)
    }
  }

  @Test(arguments: [
    // Missing, null, of the wrong type, too large, and wrong inside of values and models.
    #"{}"#, #"{"title": null, "REST"#, #"{"title": 1, "REST"#, #"{"title": "", "plays": "1", "REST"#,
    #"{"title": "", "plays": 1, "small": 300, "REST"#, #"{"title": "", "plays": 1, "small": 1, "isLive": 2, "REST"#,
    #"{"title": "", "plays": 1, "small": 1, "isLive": true, "date": "x", "REST"#,
    #"{"title": "", "plays": 1, "small": 1, "isLive": true, "date": 0, "dates": [0, "x"], "REST"#,
    #"{"title": "", "plays": 1, "small": 1, "isLive": true, "date": 0, "dates": [], "note": 1, "REST"#,
    #"{"title": "", "plays": 1, "small": 1, "isLive": true, "date": 0, "dates": [], "rating": "x", "REST"#,
    #"{"title": "", "plays": 1, "small": 1, "isLive": true, "date": 0, "dates": [], "best": {"name": 3}, "REST"#,
    #"{"title": "", "plays": 1, "small": 1, "isLive": true, "date": 0, "dates": [], "others": [{"name": ""}, {}], "REST"#,
    #"{"title": "", "plays": 1, "small": 1, "isLive": true, "date": 0, "dates": [], "mood": "no", "REST"#,
  ]) func errorsAndTheirPathsAreThoseOfAPlainClass(_ text: String) {
    let text = text.replacingOccurrences(of: #", "REST"#, with: "}")
    #expect(Coder.json.failure(Track.self, text) == Coder.json.failure(PlainTrack.self, text))
  }

  @Test func errorsOfEncodingHaveThePathOfAPlainClass() {
    let (track, plain) = (Track.sample, PlainTrack.sample)
    (track.ratio, plain.ratio) = (.infinity, .infinity)
    let nested = (Parcel(track), PlainParcel(plain))
    #expect(encodingPath(nested.0) == ["value", "ratio"])
    #expect(encodingPath(nested.1) == ["value", "ratio"])
  }

  @Test func customKeysNameTheProperties() throws {
    let song = Renamed()
    song.title = "Julia"
    #expect(try Coder.json.encode(song) == #"{"t":"Julia"}"#)
    let decoded = try Coder.json.decode(Renamed.self, #"{"t": "Julia", "plays": 7}"#)
    #expect(decoded.title == "Julia")
    #expect(decoded.plays == 1)
  }

  @Test func aSubclassCodesItsOwnPropertiesAndThoseOfItsSuperclass() throws {
    let live = Live()
    (live.title, live.venue) = ("Julia", "Kiel")
    let text = try Coder.json.encode(live)
    #expect(text == #"{"title":"Julia","venue":"Kiel"}"#)
    let decoded = try Coder.json.decode(Live.self, text)
    #expect(decoded.title == "Julia")
    #expect(decoded.venue == "Kiel")
  }

  @Test func aGenericModelIsCodedLikeAPlainOne() throws {
    func check<Value: Codable & Equatable>(_ value: Value) throws {
      for coder in Coder.all where !(coder.name.contains("property list") && value as Any? == nil) {
        let written = try coder.encode(PlainParcel(value))
        #expect(try coder.encode(Parcel(value)) == written)
        #expect(try coder.decode(Parcel<Value>.self, written).value == value)
        for text in ["{}", #"{"value": null}"#] {
          #expect(Coder.json.failure(Parcel<Value>.self, text) == Coder.json.failure(PlainParcel<Value>.self, text))
        }
      }
    }
    try check(1)
    try check("text")
    try check(["a": [1, 2]])
    try check(Date(timeIntervalSinceReferenceDate: 7))
    try check(7 as Int?)
    try check([1, nil] as [Int?])
  }

  @Test func anOptionalOfAnOptionalIsCodedLikeAPlainOne() throws {
    for text in [#"{}"#, #"{"value": null}"#, #"{"value": 1}"#] {
      let (model, plain) = try (Coder.json.decode(Nested.self, text), Coder.json.decode(PlainNested.self, text))
      #expect(model.value == plain.value)
      #expect(try Coder.json.encode(model) == Coder.json.encode(plain))
    }
    let (model, plain) = (Nested(), PlainNested())
    (model.value, plain.value) = (.some(nil), .some(nil))
    #expect(try Coder.json.encode(model) == Coder.json.encode(plain))
  }

  @Test func aModelCanBeEncodableAlone() throws {
    let log = Diary()
    log.text = "x"
    #expect(try Coder.json.encode(log) == #"{"text":"x"}"#)
  }

  @Test func aModelCanBeDecodableAlone() throws {
    let settings = try Coder.json.decode(Settings.self, #"{"name": "x", "limit": 3}"#)
    #expect(settings.name == "x")
    #expect(settings.limit == 3)
  }

  @Test func modelsOfModelsAreCoded() throws {
    let album = Album()
    album.tracks = [Track.sample, Track()]
    album.byName = ["one": Track.sample]
    album.best = album.tracks[0]
    let decoded = try Coder.json.decode(Album.self, Coder.json.encode(album))
    #expect(decoded.tracks.map(\.text) == album.tracks.map(\.text))
    #expect(decoded.byName["one"]?.text == Track.sample.text)
    #expect(decoded.best?.text == Track.sample.text)
    #expect(decoded.other == nil)
  }

  @Test func aCoderIsCalledAsForAPlainClass() throws {
    let (model, plain) = (CallLog(), CallLog())
    try Primitives().encode(to: RecordingEncoder(log: model))
    try PlainPrimitives().encode(to: RecordingEncoder(log: plain))
    #expect(model.calls == plain.calls)
    #expect(plain.calls.count == 8)
    let (decoded, plainDecoded) = (CallLog(), CallLog())
    _ = try Primitives(from: RecordingDecoder(log: decoded))
    _ = try PlainPrimitives(from: RecordingDecoder(log: plainDecoded))
    #expect(decoded.calls == plainDecoded.calls)
    #expect(plainDecoded.calls.count == 8)
  }

  @Test func aPropertyOfItsOwnIsCodedAsItsValue() throws {
    let date = Date(timeIntervalSince1970: 86_400)
    let property = try Coder.iso.encode([Observed(wrappedValue: date)])
    #expect(property == #"["1970-01-02T00:00:00Z"]"#)
    #expect(try Coder.iso.encode(Coder.iso.decode([Observed<Date>].self, property)) == property)
  }

  @Test func codingNotifiesNobody() throws {
    let track = Track.sample
    let recorder = Recorder()
    for key in Track.observedKeys { recorder.observe(track, key, [.new, .old, .prior]) }
    let decoded = try Coder.json.decode(Track.self, Coder.json.encode(track))
    #expect(recorder.take() == [])
    recorder.observe(decoded, "title", .new)
    decoded.title = "heard"
    #expect(recorder.take() == [.setting(new: "heard")])
  }

  private func encodingPath(_ model: some Encodable) -> [String] {
    do {
      _ = try Coder.json.encode(model)
      return []
    } catch EncodingError.invalidValue(_, let context) {
      return context.codingPath.map(\.stringValue)
    } catch { return ["\(error)"] }
  }
}

extension Track {
  fileprivate static var required: String {
    #"""
    {"title": "x", "plays": 1, "small": 2, "ratio": 0.5, "isLive": true, "date": 7, "dates": [8], "data": "AQI=",
     "url": "https://example.org", "price": 9.95, "mood": "calm", "others": [], "ids": [] REST}
    """#
  }
}

private class Tune: KeyValueObject, Codable {
  @Observed var title = ""
}

private final class Live: Tune {
  @Observed var venue = ""

  private enum CodingKeys: CodingKey { case venue }

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    try super.init(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    venue = try container.decode(String.self, forKey: .venue)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(venue, forKey: .venue)
  }
}

private final class Renamed: KeyValueObject, Codable {
  @Observed var title = ""
  @Observed var plays = 1

  enum CodingKeys: String, CodingKey { case title = "t" }
}

private final class Parcel<Value: Codable>: KeyValueObject, Codable {
  @Observed var value: Value

  init(_ value: Value) { _value = Observed(wrappedValue: value) }
}

private final class PlainParcel<Value: Codable>: Codable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

private final class Nested: KeyValueObject, Codable {
  @Observed var value: Int??
}

private final class PlainNested: Codable {
  var value: Int??
}

private final class Diary: KeyValueObject, Encodable {
  @Observed var text = ""
  @Observed var note: String?
}

private final class Settings: KeyValueObject, Decodable {
  @Observed var name = ""
  @Observed var limit: Int?
}

private final class Album: KeyValueObject, Codable {
  @Observed var tracks: [Track] = []
  @Observed var byName: [String: Track] = [:]
  @Observed var best: Track?
  @Observed var other: Track?
}
