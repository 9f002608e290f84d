import KVOController
import Testing
import _KVOTestSupport

/// A listed key without declared dependencies is followed by what its getter reads.
@Suite struct ListedGetterTests {
  final class Track: KeyValueObject, @unchecked Sendable {
    @Observed var seconds = 0
    @Observed var album: Record?
    init(_ seconds: Int) {
      super.init()
      self.seconds = seconds
    }
  }

  class Record: KeyValueObject, @unchecked Sendable {
    @Observed var tracks: [Track] = []
    @Observed fileprivate var stored = 0

    var duration: Int { tracks.reduce(0) { $0 + $1.seconds } }
    var text: String { "\(duration) s" }
    /// With the collection as its declared dependency.
    var declared: Int { duration }
    /// Notifies by hand, and says so.
    var manual: Int { stored }
    var level: Int {
      get { stored }
      set { stored = newValue }
    }

    override class var keyPaths: [String: AnyKeyPath] {
      [
        "duration": \Record.duration, "text": \Record.text, "declared": \Record.declared, "manual": \Record.manual,
        "level": \Record.level,
      ]
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "text": ["duration"]
      case "declared": ["tracks"]
      default: super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }

    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "manual" }

    func setByHand(_ level: Int) {
      willChangeValue(forKey: "level")
      self.level = level
      didChangeValue(forKey: "level")
    }
  }

  private let record = Record()
  private let recorder = Recorder()
  private let received = Locked<[String]>([])
  private let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  private func observe(_ keyPath: String, _ options: NSKeyValueObservingOptions = .new) {
    controller.observe(record, keyPath: keyPath, options: options) { [received] _, _, change in
      received.append(change[.notificationIsPriorKey] == nil ? "\(change[.newKey] ?? "-")" : "prior")
    }
  }

  private func change() {
    let track = Track(1)
    record.tracks = [track]
    track.seconds = 2
    record.tracks.append(Track(3))
    record.tracks[1].seconds = 4
    record.tracks = [track]
    track.seconds = 5
  }

  private let durations = ["1", "2", "5", "6", "2", "5"]

  @Test func itIsFollowedByName() {
    observe("duration")
    change()
    #expect(received.take() == durations)
    controller.unobserve(record, keyPath: "duration")
    #expect(record.registrationCount == 0 && record.tracks[0].registrationCount == 0)
  }

  @Test func itIsFollowedWithoutOptions() {
    observe("duration", [])
    change()
    #expect(received.take().count == durations.count)
  }

  @Test func itIsFollowedByATypedKeyPath() {
    controller.observe(record, \.duration) { [received] _, change in received.append("\(change.newValue ?? -1)") }
    change()
    #expect(received.take() == durations)
  }

  @Test func itIsFollowedAsADependencyAndOnAPath() {
    observe("text")
    change()
    #expect(received.take() == durations.map { "\($0) s" })
    controller.unobserveAll()
    let track = Track(0)
    track.album = record
    controller.observe(track, keyPath: "album.duration", options: .new) { [received] _, _, change in
      received.append("\(change[.newKey] ?? "-")")
    }
    record.tracks[0].seconds = 7
    #expect(received.take() == ["7"])
  }

  @Test func itsGetterRunsOnceForAChange() {
    final class Counter: KeyValueObject {
      @Observed var number = 0
      var reads = 0

      var count: Int {
        reads += 1
        return number
      }

      override class var keyPaths: [String: AnyKeyPath] { ["count": \Counter.count] }
    }
    let counter = Counter()
    controller.observe(counter, \.count, options: .new) { [received] _, change in
      received.append("\(change.newValue ?? -1)")
    }
    counter.reads = 0
    counter.number = 1
    counter.willChangeValue(forKey: "count")
    counter.didChangeValue(forKey: "count")
    #expect(received.take() == ["1", "1"] && counter.reads == 2)
  }

  @Test func itsValueInCodingIsFollowed() {
    final class Translated: KeyValueObject {
      @Observed var factor = 2
      var count: Int { 1 }

      override class var keyPaths: [String: AnyKeyPath] { ["count": \Translated.count] }
      override func value(forKey key: String) -> Any? { key == "count" ? count * factor : super.value(forKey: key) }
    }
    let translated = Translated()
    controller.observe(translated, keyPath: "count", options: .new) { [received] _, _, change in
      received.append("\(change[.newKey] ?? "-")")
    }
    translated.factor = 3
    #expect(received.take() == ["3"])
  }

  @Test func aGetterWithDeclaredDependenciesIsNotFollowed() {
    observe("declared")
    change()
    #expect(received.take() == ["1", "5", "2"])
  }

  @Test func oneThatNotifiesByHandIsNotFollowed() {
    observe("manual")
    record.level = 1
    #expect(received.take() == [])
  }

  @Test(arguments: [[.new], [.new, .old], [.new, .prior]] as [NSKeyValueObservingOptions])
  func itsOwnPairIsOneCall(options: NSKeyValueObservingOptions) {
    observe("level", options)
    record.level = 1
    let single = options.contains(.prior) ? ["prior", "1"] : ["1"]
    #expect(received.take() == single)
    record.setByHand(2)
    #expect(received.take() == single.map { $0 == "1" ? "2" : $0 })
    record.setValue(3, forKey: "level")
    #expect(received.take() == single.map { $0 == "1" ? "3" : $0 })
    record.level = 4
    #expect(received.take() == single.map { $0 == "1" ? "4" : $0 })
  }

  @Test func anotherThreadsChangeWithinThePairIsSent() {
    observe("level")
    record.willChangeValue(forKey: "level")
    onThreads(1) { [record] _ in record.level = 1 }
    #expect(received.take() == ["1"])
    record.didChangeValue(forKey: "level")
    #expect(received.take() == ["1"])
  }

  @Test func whoBeginsWithinThePairMissesNothing() {
    observe("level")
    controller.unobserveAll()
    record.willChangeValue(forKey: "level")
    observe("level")
    record.level = 1
    #expect(received.take() == ["1"])
    record.didChangeValue(forKey: "level")
    #expect(received.take() == [])
  }

  @Test func allOfAnObjectFollowsNoGetter() {
    recorder.observe(allOf: record) { [received] _, _, key in received.append(key) }
    let track = Track(1)
    record.tracks = [track]
    track.seconds = 2
    #expect(received.take() == ["tracks"])
    record.setByHand(2)
    #expect(received.take() == ["stored", "level"])
  }
}
