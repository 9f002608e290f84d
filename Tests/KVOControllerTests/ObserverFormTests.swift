import KVOController
import Testing
import _KVOTestSupport

/// An observer says itself what it observes.
@Suite struct ObserverFormTests {
  class Screen: KeyValueObject {
    @Observed var state = 0
    var text: String? = "?"
    var title = "?"
    var numbers: [Int] = []
    var received: [String] = []

    func begin(_ song: Song) {
      observe(song, \.title) { screen, song, change in
        screen.received.append("\(song.title) was \(change.oldValue ?? "")")
      }
    }
  }

  final class Panel: Screen {
    var redraws = 0
  }

  private let screen = Screen()
  private let panel = Panel()
  private let song = Song()

  @Test func theHandlerTakesTheObserver() {
    screen.begin(song)
    song.title = "A"
    #expect(screen.received == ["A was \(Song().title)"])
    screen.unobserve(song, \.title)
    song.title = "B"
    #expect(screen.received.count == 1)
  }

  @Test func theHandlerTakesASubclass() {
    panel.observe(song, \.plays) { panel, _, _ in panel.redraws += 1 }
    song.plays += 1
    #expect(panel.redraws == 1)
    panel.unobserve(song)
    song.plays += 1
    #expect(panel.redraws == 1)
  }

  @Test func aControllerWithAnObserverOfAnotherClassStops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (panel, other) = (Panel(), Screen())
      panel.kvoController = KVOController(observer: other)
      panel.observe(Song(), \.plays) { panel, _, _ in panel.redraws += 1 }
    }
    #expect(said("Cannot notify <Screen 0x", "the controller of <Panel 0x", "Use the observer's own class", in: result))
    #expect(said("KVOControllerTests/ObserverFormTests.swift:", in: result))
    let elements = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (panel, other) = (Panel(), Screen())
      panel.kvoController = KVOController(observer: other)
      panel.observe(Basket(), elements: \.goods, \.price) { panel, _, _ in panel.redraws += 1 }
    }
    #expect(said("KVOControllerTests/ObserverFormTests.swift:", "Cannot notify <Screen 0x", in: elements))
  }

  @Test func aControllerWithAnObserverOfASubclass() {
    screen.kvoController = KVOController(observer: panel)
    screen.observe(song, \.plays) { screen, _, _ in screen.title = "\(type(of: screen))" }
    song.plays = 3
    #expect(panel.title == "Panel" && screen.title == "?")
  }

  @Test func itIsAnObservationOfTheController() {
    let token = screen.observe(song, \.plays) { screen, _, change in screen.numbers.append(change.newValue ?? 0) }
    #expect(screen.kvoController.observations == [token])
    let other = screen.observe(song, \.plays, identifier: 1) { _, _, _ in Issue.record("replaced") }
    let second = screen.kvoController.observe(song, \.plays, identifier: 1) { _, _ in }
    song.plays = 3
    #expect(screen.numbers == [3])
    #expect(token.isValid && !other.isValid && second.isValid)
  }

  @Test func theObserverIsNotRetained() {
    weak var dead: Screen?
    do {
      let screen = Screen()
      dead = screen
      screen.begin(song)
      screen.bind(song, \.title, to: \.title)
      screen.observe(screen, \.state) { _, _, _ in }
    }
    #expect(dead == nil)
    #expect(song.registrationCount == 0)
  }

  // MARK: Several key paths

  @Test func severalKeyPathsHaveOneHandler() {
    let token = panel.observe(song, [\.title, \.plays]) { panel, _ in panel.redraws += 1 }
    #expect(panel.redraws == 0)
    song.title = "A"
    song.plays += 1
    #expect(panel.redraws == 2)
    #expect(token.keyPath == "title, plays")
    #expect(token.object === song)
    token.invalidate()
    song.title = "B"
    song.plays += 1
    #expect(panel.redraws == 2)
    #expect(!token.isValid && token.object == nil)
  }

  @Test func theInitialCallOfSeveralIsOne() {
    panel.observe(song, [\.title, \.plays], options: .initial) { panel, song in
      // By now, all are observed.
      panel.redraws += 1
      if panel.redraws == 1 { song.plays += 1 }
    }
    #expect(panel.redraws == 2)
    panel.observe(song, [\.title, \.plays], options: .initial) { panel, _ in panel.redraws = 100 }
    #expect(panel.redraws == 100)
  }

  // MARK: Binding

  @Test func aBindingAssignsNowAndAfterEachChange() {
    song.title = "A"
    let token = screen.bind(song, \.title, to: \.title)
    screen.bind(song, \.title, to: \.text)
    #expect(screen.title == "A" && screen.text == "A")
    song.title = "B"
    #expect(screen.title == "B" && screen.text == "B")
    token.invalidate()
    song.title = "C"
    #expect(screen.title == "B" && screen.text == "C")
    screen.unobserve(song)
    song.title = "D"
    #expect(screen.text == "C")
  }

  @Test func aBindingOfWhatCannotBeReached() {
    let playlist = Playlist()
    screen.bind(playlist, \.first!.title, to: \.title)
    screen.bind(playlist, \.first?.title, to: \.text)
    #expect(screen.title == "?" && screen.text == nil)
    song.title = "A"
    playlist.first = song
    #expect(screen.title == "A" && screen.text == "A")
    playlist.first = nil
    #expect(screen.title == "A" && screen.text == nil)
  }

  @Test func aBindingAssignsTheWholeCollection() {
    let playlist = Playlist()
    playlist.ratings = [1]
    screen.bind(playlist, \.ratings, to: \.numbers)
    playlist.mutableArrayValue(forKey: "ratings").add(2)
    #expect(screen.numbers == [1, 2])
  }

  // MARK: Isolation

  @MainActor final class View: KeyValueObject {
    var text = ""
    var count = 0

    func begin(_ song: Song) {
      observe(song, \.plays) { view, _, _ in view.count += 1 }
      observe(song, [\.plays, \.title], options: .initial, identifier: "several") { view, song in view.text = song.title
      }
      bind(song, \.title, to: \.text)
    }
  }

  @MainActor @Test func aViewObservesOnTheMainActor() async {
    let view = View()
    view.begin(song)
    song.title = "A"
    #expect(view.text == "A")
    let song = song
    await Task.detached { song.plays = 1 }.value
    while view.count == 0 { await Task.yield() }
    #expect(view.count == 1)
  }

  final class Counter: KeyValueObject, @unchecked Sendable {
    let count = Locked(0)
    let title = Locked("")
    var last: String {
      get { title.current }
      set { title.withLock { $0 = newValue } }
    }
  }

  @MainActor @Test func anExplicitNilIsForAnyThread() async {
    let (counter, song) = (Counter(), song)
    // A handler that captured its observer would retain it.
    let count = counter.count
    counter.observe(song, \.plays, isolation: nil) { counter, _, _ in counter.count.add() }
    counter.observe(song, [\.plays], identifier: 1, isolation: nil) { counter, _ in counter.count.add() }
    counter.bind(song, \.title, to: \.last, isolation: nil)
    counter.kvoController.observe(song, \.plays, identifier: 2, isolation: nil) { _, _ in count.add() }
    counter.kvoController.observe(song, keyPath: "plays", identifier: 3, isolation: nil) { _, _, _ in
      count.add()
    }
    await Task.detached {
      song.plays = 1
      song.title = "A"
      #expect(counter.count.current == 4)
      #expect(counter.last == "A")
    }.value
    withExtendedLifetime(counter) {}
  }

  // MARK: What is observed

  @Test func aControllerShowsItsObservations() throws {
    let controller = screen.kvoController
    #expect(controller.observations.isEmpty)
    screen.observe(song, \.title, options: [.initial, .new], identifier: "title") { _, _, _ in }
    controller.observe(song, keyPaths: ["plays", "title"]) { _, _, _ in }
    #expect(controller.observations.map(\.keyPath).sorted() == ["plays", "title", "title"])
    let observation = try #require(controller.observations.first { $0.identifier != nil })
    #expect(observation.object === song)
    #expect(observation.options == [.initial, .new])
    #expect(observation.identifier == AnyHashable("title"))
    #expect(observation.description.contains("title (new, initial, identifier: title)"))
    #expect(controller.debugDescription.split(separator: "\n").count == 4)
    observation.invalidate()
    #expect(controller.observations.count == 2)
    #expect(!observation.isValid && observation.object == nil && observation.keyPath == "title")
    #expect(observation.description.contains("ended"))
  }

  @Test func anObserverOfAProtocolHasAController() {
    let anything: Any = screen
    let controller = KVOController(observer: anything)
    #expect(controller.observer === screen)
    #expect(KVOController(observer: nil).observer == nil)
  }

  @Test func typesCanBeNamedWithTheModule() {
    let controller = KVOController.FBKVOController(observer: screen)
    let change = KVOController.KVOChange<String>(keyPath: "title", newValue: "A")
    let token: KVOController.KVOObservation = controller.observe(song, \.title) { _, _ in }
    let block: KVOController.FBKVONotificationBlock = { _, _, change in #expect(change["new"] as? Int == 1) }
    controller.observe(song, keyPath: "plays", options: .new, block: block)
    song.plays = 1
    #expect(change.newValue == "A" && token.isValid)
  }
}

/// A list of songs.
private final class Playlist: KeyValueObject {
  @Observed var first: Song?
  @Observed var ratings: [Int] = []
}
