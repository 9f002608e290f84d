import KVOController
import Testing
import _KVOTestSupport

/// Call sites of Foundation's tokens and of Combine, in comments, and what the page "Migrating from FBKVOController" makes of them.
@Suite struct TokenMigrationTests {
  class Screen: KeyValueObject {
    fileprivate(set) var log: [String] = []
    fileprivate(set) var label = ""
    fileprivate var token: KVOObservation?

    fileprivate func take() -> [String] {
      defer { log = [] }
      return log
    }
  }

  private let first = Song("a")
  private let second = Song("b")

  @Test func aTokenThatIsSetToNil() {
    final class Player: Screen {
      func begin(_ song: Song) {
        // token = song.observe(\.title) { [weak self] song, _ in self?.log.append(song.title) }
        token = observe(song, \.title) { screen, song, _ in screen.log.append(song.title) }
      }

      func end() {
        // token = nil
        token?.invalidate()
      }
    }
    let player = Player()
    player.begin(first)
    first.title = "A"
    player.end()
    first.title = "B"
    #expect(player.log == ["A"])
  }

  @Test func aTokenThatIsReplaced() {
    final class Player: Screen {
      func play(_ item: String, _ song: Song) {
        // statusObserver = song.observe(\.title, options: [.initial, .new]) { [weak self] song, _ in … }
        observe(song, \.title, options: [.initial, .new], identifier: "status") { screen, song, _ in
          screen.log.append("\(item): \(song.title)")
        }
      }
    }
    let player = Player()
    player.play("1", first)
    player.play("2", first)
    first.title = "A"
    #expect(player.log == ["1: a", "2: a", "2: A"])
  }

  @Test func anArrayOfTokens() {
    final class Panel: Screen {
      private var controller: KVOController?

      func show(_ song: Song) {
        // tokens = [song.observe(\.title) { … }, song.observe(\.plays) { … }]
        let controller = KVOController(observer: self)
        self.controller = controller
        controller.observe(song, \.title) { (panel: Panel, song, _) in panel.log.append(song.title) }
        controller.observe(song, \.plays) { (panel: Panel, song, _) in panel.log.append("\(song.plays)") }
      }
    }
    let panel = Panel()
    panel.show(first)
    panel.show(second)
    first.title = "A"
    (second.title, second.plays) = ("B", 1)
    #expect(panel.log == ["B", "1"] && first.registrationCount == 0)
  }

  @Test func aCellThatIsReused() {
    final class Cell: Screen {
      func show(_ song: Song) {
        // token = song.observe(\.title, options: .initial) { [weak self] song, _ in self?.label = song.title }
        bind(song, \.title, to: \.label)
      }
    }
    let cell = Cell()
    cell.show(first)
    cell.show(second)
    first.title = "A"
    #expect(cell.label == "b" && first.registrationCount == 0)
    second.title = "B"
    #expect(cell.label == "B")
  }

  @MainActor @Test func aPublisherThatIsReceivedOnTheMainQueue() async {
    @MainActor final class Header: KeyValueObject {
      var titles: [String] = []
      private var controller: KVOController?

      func show(_ song: Song) {
        // song.publisher(for: \.title).receive(on: DispatchQueue.main).sink { … }.store(in: &cancellables)
        let controller = KVOController(observer: self)
        self.controller = controller
        controller.observe(song, \.title, options: [.initial, .new]) { (header: Header, song, change) in
          header.titles.append(change.newValue ?? "")
        }
      }
    }
    let (header, first, second) = (Header(), first, second)
    header.show(first)
    header.show(second)
    onThreads(1) { _ in (first.title, second.title) = ("A", "B") }
    while header.titles.count < 3 { await Task.yield() }
    #expect(header.titles == ["a", "b", "B"])
  }
}
