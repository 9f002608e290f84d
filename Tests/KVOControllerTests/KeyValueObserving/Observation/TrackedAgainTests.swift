#if canImport(Observation)
import KVOController
import Observation
import Testing
import _KVOTestSupport

/// A key that is tracked again as soon as it is about to change.
@Suite(.watched) struct TrackedAgainTests {
  final class Artist: KeyValueObject, Observable, @unchecked Sendable {
    @Observed var name = ""
  }

  final class Record: KeyValueObject, Observable, @unchecked Sendable {
    @Observed var title = ""
    @Observed var year = 0
    @Observed var artist = Artist()
    @Observed var notes: [String] = []

    var line: String { "\(title) \(year)" }
    var label: String { "\(artist.name): \(line)" }

    override class var keyPaths: [String: AnyKeyPath] { ["line": \Record.line, "label": \Record.label] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "line": ["title", "year"]
      case "label": ["artist.name", "line"]
      case "notes": ["title"]
      default: []
      }
    }
  }

  let record = Record()
  let tracking = Tracking()

  private static let reads: [@Sendable (Record) -> Void] = [
    { _ = $0.notes },
    { _ = $0.value(forKey: "line") },
    { _ = $0.value(forKey: "label") },
    { _ = ($0.title, $0.value(forKey: "line"), $0.value(forKey: "label"), $0.notes) },
    { _ = ($0.value(forKey: "label"), $0.mutableArrayValue(forKey: "notes").count, $0.title) },
  ]

  @Test(arguments: reads.indices) func aChangeIsOneMutation(read: Int) {
    tracking.keepTracking { [record] in Self.reads[read](record) }
    for count in 1...10 {
      record.title = "\(count)"
      #expect(tracking.count == count)
    }
  }

  @Test func soIsOneOfEachKind() {
    tracking.keepTracking { [record] in _ = (record.value(forKey: "label"), record.notes, record.line) }
    record.title += "x"
    #expect(tracking.count == 1)
    record.setValue(1_970, forKey: "year")
    #expect(tracking.count == 2)
    record.artist.name = "Ella"
    #expect(tracking.count == 3)
    record.artist = Artist()
    #expect(tracking.count == 4)
    record.artist.name = "Billie"
    #expect(tracking.count == 5)
    record.notes.append("a")
    #expect(tracking.count == 6)
    record.mutableArrayValue(forKey: "notes").add("b")
    #expect(tracking.count == 7)
    record.willChangeValue(forKey: "title")
    record.didChangeValue(forKey: "title")
    #expect(tracking.count == 8)
  }

  @Test func severalTrackAgain() {
    let others = (0..<20).map { _ in Tracking() }
    for tracking in others { tracking.keepTracking { [record] in _ = (record.value(forKey: "label"), record.notes) } }
    for count in 1...3 {
      record.title = "\(count)"
      record.artist.name = "\(count)"
      #expect(others.map(\.count) == Array(repeating: 2 * count, count: 20))
    }
  }

  @Test func whatIsTrackedByOthersIsToldOfTheSameChange() {
    let other = Tracking()
    other.track { record.value(forKey: "label") }
    tracking.keepTracking { [record] in _ = (record.title, record.value(forKey: "label")) }
    record.title = "a"
    #expect(other.count == 1 && tracking.count == 1)
    record.title = "b"
    #expect(other.count == 1 && tracking.count == 2)
  }

  @Test func nothingIsLeftWhenTrackingEnds() {
    tracking.keepTracking { [record] in _ = (record.value(forKey: "label"), record.notes) }
    for count in 1...100 { record.title = "\(count)" }
    let registrations = record.registrationCount
    for count in 1...100 { record.title = "\(count)" }
    #expect(record.registrationCount == registrations)
    tracking.stop()
    record.title = "last"
    record.title = "after"
    #expect(record.registrationCount == 0 && record.artist.registrationCount == 0)
  }
}
#endif
