import KVOController
import Testing
import _KVOTestSupport

/// A property of an observer that is bound has one source.
@Suite struct BindingTests {
  class Label: KeyValueObject, @unchecked Sendable {
    let assignments = Locked<[String]>([])
    var text = "?" { didSet { assignments.append(text) } }
    var optional: String? = "?" { didSet { assignments.append(optional ?? "nil") } }
    var number = 0.0
    /// Not `Equatable`.
    var pair = (0, 0) { didSet { assignments.append("\(pair)") } }
    var lines: [Int: String] = [:]
    subscript(line: Int) -> String {
      get { lines[line] ?? "" }
      set { lines[line] = newValue }
    }

    func take() -> [String] { assignments.take() }
  }

  final class Heading: Label, @unchecked Sendable {}

  private let label = Label()
  private let song = Song("A")
  private let other = Song("X")

  @Test func bindingAgainEndsTheFormerBinding() {
    let first = label.bind(song, \.title, to: \.text)
    let second = label.bind(other, \.title, to: \.text)
    #expect(!first.isValid && second.isValid && first.object == nil)
    #expect(song.registrationCount == 0)
    song.title = "B"
    #expect(label.take() == ["A", "X"])
    other.title = "Y"
    #expect(label.take() == ["Y"])
    label.bind(song, \.headline, to: \.text)
    #expect(!second.isValid)
    other.title = "Z"
    #expect(label.take() == ["B"])
    #expect(label.kvoController.observations.count == 1)
  }

  @Test func bindingToTheSameAgainHasNoEffect() {
    let first = label.bind(song, \.title, to: \.text)
    label.text = "mine"
    let second = label.bind(song, \.title, to: \.text)
    #expect(first.isValid && label.text == "mine")
    second.invalidate()
    #expect(!first.isValid)
    label.bind(song, \.title, to: \.text)
    #expect(label.text == "A")
  }

  @Test func aPropertyIsTheSameFromASubclass() {
    let heading = Heading()
    func bind(_ label: Label, _ song: Song) -> KVOObservation { label.bind(song, \.title, to: \.text) }
    let first = bind(heading, song)
    let second = heading.bind(other, \.title, to: \.text)
    #expect(!first.isValid && second.isValid)
    #expect(bind(heading, other).isValid && second.isValid)
    #expect(heading.kvoController.observations.count == 1)
  }

  @Test func otherPropertiesAndObserversAreIndependent() {
    let heading = Heading()
    label.bind(song, \.title, to: \.text)
    label.bind(song, \.title, to: \.optional)
    label.bind(song, \.title, to: \.[1])
    label.bind(other, \.title, to: \.[2])
    heading.bind(song, \.title, to: \.text)
    label.bind(other, \.title, to: \.text)
    song.title = "B"
    #expect(label.text == "X" && label.optional == "B" && heading.text == "B" && label.lines == [1: "B", 2: "X"])
  }

  @Test func equalValuesAreNotAssignedAgain() {
    label.text = "A"
    _ = label.take()
    label.bind(song, \.title, to: \.text)
    label.bind(song, \.title, to: \.optional)
    song.title = "A"
    song.title = "B"
    #expect(label.take() == ["A", "B", "B"])
    label.text = "mine"
    _ = label.take()
    song.title = "B"
    #expect(label.take() == ["B"])
  }

  @Test func valuesThatCannotBeComparedAreAlwaysAssigned() {
    label.bind(song, \.plays, to: \.pair) { ($0, $0) }
    song.plays = 0
    #expect(label.take() == ["(0, 0)", "(0, 0)"])
  }

  @Test func nilAndWhatCannotBeReached() {
    song.next = other
    label.bind(song, \.next!.title, to: \.text)
    label.bind(song, \.next?.title, to: \.optional)
    song.next = nil
    song.next = nil
    #expect(label.take() == ["X", "X", "nil"])
    song.next = other
    #expect(label.take() == ["X"])
  }

  // MARK: Transforming

  @Test func aValueIsTransformed() {
    let token = label.bind(song, \.plays, to: \.text) { "\($0) plays" }
    song.plays = 2
    song.plays = 2
    label.bind(song, \.rating, to: \.optional, transform: { $0.map(String.init) })
    song.rating = 1
    song.rating = nil
    #expect(label.take() == ["0 plays", "2 plays", "nil", "1", "nil"])
    token.invalidate()
    song.plays = 3
    #expect(label.take() == [])
  }

  @Test func anotherTransformationEndsTheFormer() {
    let first = label.bind(song, \.title, to: \.text) { "1 \($0)" }
    let second = label.bind(song, \.title, to: \.text) { "2 \($0)" }
    #expect(!first.isValid)
    label.bind(song, \.title, to: \.text)
    #expect(!second.isValid)
    song.title = "B"
    #expect(label.take() == ["1 A", "2 A", "A", "B"])
    label.bind(song, \.next!.plays, to: \.text) { "\($0)" }
    #expect(label.take() == [])
  }

  @Test func aClosureThatBindsThePropertyAgainAssignsNothing() {
    label.bind(song, \.plays, to: \.text) { [unowned label, other] plays in
      if plays == 7 { label.bind(other, \.title, to: \.text) }
      return "\(plays)"
    }
    song.plays = 7
    #expect(label.take() == ["0", "X"])
    other.title = "Y"
    song.plays = 8
    #expect(label.take() == ["Y"])
  }

  @Test func aClosureThatEndsItsBindingAssignsNothing() {
    var token: KVOObservation?
    token = label.bind(song, \.plays, to: \.text) { plays in
      if plays == 7 { token?.invalidate() }
      return "\(plays)"
    }
    song.plays = 7
    #expect(label.take() == ["0"])
  }

  @Test func notANumberEndsInACycle() {
    final class Gauge: KeyValueObject {
      @Observed var value = 0.0 { didSet { assignments += 1 } }
      var assignments = 0
    }
    let (left, right) = (Gauge(), Gauge())
    left.bind(right, \.value, to: \.value)
    right.bind(left, \.value, to: \.value)
    left.value = .nan
    #expect(right.value.isNaN && left.assignments == 1 && right.assignments == 1)
    left.value = 1
    #expect(right.value == 1)
    left.unobserve(right)
  }

  // MARK: Lifetimes

  @Test func aBindingLeavesNothingBehind() {
    weak var gone: Label?
    do {
      let label = Label()
      gone = label
      for line in 0..<100 {
        label.bind(song, \.title, to: \.[line]).invalidate()
        label.bind(song, \.plays, to: \.[line]) { "\($0)" }
      }
      label.unobserve(song)
      label.bind(song, \.title, to: \.text)
    }
    #expect(gone == nil && song.registrationCount == 0)
  }

  @Test func aBindingInsideOfABinding() {
    final class Chooser: Label, @unchecked Sendable {
      var songs: [Song] = []
      var choice = 0 {
        didSet { if songs.indices.contains(choice) { bind(songs[choice], \.title, to: \.text) } }
      }
    }
    let chooser = Chooser()
    chooser.songs = [song, other]
    chooser.bind(song, \.plays, to: \.choice)
    #expect(chooser.text == "?")
    song.plays = 1
    #expect(chooser.text == "X")
    song.title = "B"
    #expect(chooser.text == "X")
  }

  @Test func anAssignmentBindsItsPropertyAgain() {
    final class Impatient: Label, @unchecked Sendable {
      @Observed var caption = "" {
        didSet { if caption == "A", let song { bind(song, \.title, to: \.caption) { "\($0)!" } } }
      }
      var song: Song?
    }
    let impatient = Impatient()
    impatient.song = song
    let first = impatient.bind(song, \.title, to: \.caption)
    #expect(!first.isValid && impatient.caption == "A!")
    song.title = "B"
    #expect(impatient.caption == "B!")
    #expect(impatient.kvoController.observations.count == 1)
  }

  @MainActor final class View: KeyValueObject {
    var text = "" { didSet { texts.append(text) } }
    var texts: [String] = []
    func show(_ song: Song) { bind(song, \.title, to: \.text) }
    func showPlays(_ song: Song) { bind(song, \.plays, to: \.text) { "\($0)" } }
  }

  @MainActor @Test func whatWaitsForAnEndedBindingIsDropped() async {
    let view = View()
    let (song, other) = (song, other)
    view.show(song)
    #expect(finishes { song.title = "late" })
    view.show(other)
    #expect(finishes { other.title = "Y" })
    while view.texts.count < 3 { await Task.yield() }
    #expect(view.texts == ["A", "X", "Y"])
    view.showPlays(song)
    #expect(view.text == "0")
  }

  @Test func threadsBindOnePropertyAtOnce() {
    final class Shared: KeyValueObject, @unchecked Sendable {
      let title = Locked("")
      var text: String {
        get { title.current }
        set { title.withLock { $0 = newValue } }
      }
    }
    let songs = (0..<4).map { Song("\($0)") }
    let shared = Shared()
    for _ in 0..<200 {
      onThreads(4) { shared.bind(songs[$0], \.title, to: \.text, isolation: nil) }
      #expect(shared.kvoController.observations.count == 1)
      #expect(songs.count { $0.registrationCount > 0 } == 1)
    }
  }
}
