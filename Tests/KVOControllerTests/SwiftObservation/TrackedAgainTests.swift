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

  /// How often the closure is called for a change. It tracks again at once, and so may be called for each key that it reads, and for
  /// each that their getters read.
  private func calls(for change: () -> Void) -> Int {
    let former = tracking.count
    change()
    return tracking.count - former
  }

  @Test(arguments: zip(reads.indices, [1, 2, 2, 4, 3])) func aChangeIsAtMostOneMutationOfEachKey(read: Int, keys: Int) {
    tracking.keepTracking { [record] in Self.reads[read](record) }
    for count in 1...10 { #expect(1...keys ~= calls { record.title = "\(count)" }) }
  }

  @Test func soIsOneOfEachKind() {
    tracking.keepTracking { [record] in _ = (record.value(forKey: "label"), record.notes) }
    let changes: [() -> Void] = [
      { [record] in record.title += "x" },
      { [record] in record.setValue(1_970, forKey: "year") },
      { [record] in record.artist.name = "Ella" },
      { [record] in record.artist = Artist() },
      { [record] in record.artist.name = "Billie" },
      { [record] in record.notes.append("a") },
      { [record] in record.mutableArrayValue(forKey: "notes").add("b") },
      { [record] in
        record.willChangeValue(forKey: "title")
        record.didChangeValue(forKey: "title")
      },
    ]
    for change in changes { #expect(1...3 ~= calls(for: change)) }
  }

  @Test func severalTrackAgain() {
    let others = (0..<20).map { _ in Tracking() }
    for tracking in others { tracking.keepTracking { [record] in _ = (record.value(forKey: "label"), record.notes) } }
    for count in 1...3 {
      let former = others.map(\.count)
      record.title = "\(count)"
      #expect(zip(others, former).allSatisfy { 1...3 ~= $0.count - $1 })
      record.artist.name = "\(count)"
      #expect(zip(others, former).allSatisfy { 2...5 ~= $0.count - $1 })
    }
  }

  @Test func whatIsTrackedByOthersIsToldOfTheSameChange() {
    let other = Tracking()
    other.track { record.value(forKey: "label") }
    tracking.keepTracking { [record] in _ = (record.title, record.value(forKey: "label")) }
    #expect(1...2 ~= calls { record.title = "a" })
    #expect(other.count == 1)
    #expect(1...2 ~= calls { record.title = "b" })
    #expect(other.count == 1)
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
