import KVOController
import Testing
import _KVOTestSupport

/// Which observations are the same, and what ends them.
@Suite struct TypedIdentityTests {
  let song = Song("a")
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func unobservingEndsTheKeyPathOnly() {
    let (titles, _) = controller.listen(to: song, \.title)
    let (plays, _) = controller.listen(to: song, \.plays)
    controller.unobserve(song, \.title)
    song.title = "b"
    song.plays = 1
    #expect(titles.count == 0)
    #expect(plays.new == [1])
  }

  @Test func unobservingWhatIsNotObservedDoesNothing() {
    controller.unobserve(song, \.title)
    controller.unobserve(song, \.title, identifier: 1)
    let (titles, _) = controller.listen(to: song, \.title)
    controller.unobserve(Song(), \.title)
    song.title = "b"
    #expect(titles.new == ["b"])
    controller.unobserve(song, \.title)
    controller.unobserve(song, \.title)
  }

  @Test func unobservingEndsEveryIdentifierOfTheKeyPath() {
    let (first, _) = controller.listen(to: song, \.title, identifier: 1)
    let (second, _) = controller.listen(to: song, \.title, identifier: "two")
    controller.unobserve(song, \.title)
    song.title = "b"
    #expect(first.count == 0)
    #expect(second.count == 0)
  }

  @Test func unobservingAnIdentifierLeavesTheOthers() {
    let (first, _) = controller.listen(to: song, \.title, identifier: 1)
    let (second, _) = controller.listen(to: song, \.title, identifier: 2)
    controller.unobserve(song, \.title, identifier: 1)
    song.title = "b"
    #expect(first.count == 0)
    #expect(second.new == ["b"])
  }

  @Test func eachTypedCallIsAnObservationOfItsOwn() {
    let (first, token) = controller.listen(to: song, \.title)
    let (second, other) = controller.listen(to: song, \.title, options: [.initial, .new])
    song.title = "b"
    #expect(first.new == ["b"])
    #expect(second.new == ["a", "b"])
    token.invalidate()
    song.title = "c"
    #expect(first.count == 1 && second.new.last == "c")
    #expect(!token.isValid && other.isValid)
    controller.unobserve(song, \.title)
    #expect(!other.isValid && song.registrationCount == 0)
  }

  @Test(arguments: [nil, "identifier"]) func aTypedObservationAndOneByAStringAreNeverTheSame(identifier: String?) {
    let identifier = identifier.map { AnyHashable($0) }
    var count = 0
    controller.observe(song, keyPath: "title", identifier: identifier) { _, _, _ in count += 1 }
    let (typed, token) = controller.listen(to: song, \.title, options: [.initial, .new], identifier: identifier)
    controller.observe(song, keyPath: "title", options: .initial, identifier: identifier, action: Recorder.redraw)
    song.title = "b"
    #expect(typed.new == ["a", "b"])
    #expect(count == 1)
    #expect(recorder.count == 0)
    token.invalidate()
    song.title = "c"
    #expect(count == 2)
  }

  @Test func nameAndTypedKeyPathEndEachOther() {
    let (byName, _) = controller.listen(to: song, \.title)
    controller.unobserve(song, keyPath: "title")
    song.title = "b"
    #expect(byName.count == 0)
    var count = 0
    controller.observe(song, keyPath: "next.title") { _, _, _ in count += 1 }
    song.next = Song("n")
    #expect(count == 1)
    controller.unobserve(song, \.next?.title)
    song.next?.title = "m"
    #expect(count == 1)
  }

  @Test func keyPathsOfSuperclassAndSubclassAreOneKey() {
    let live = LiveSong("a")
    let (former, first) = controller.listen(to: live, \Song.title, identifier: 1)
    let (received, second) = controller.listen(to: live, \LiveSong.title, identifier: 1)
    live.title = "b"
    #expect(received.new == ["b"])
    #expect(received.all.map(\.keyPath) == ["title"])
    #expect(former.count == 0)
    #expect(!first.isValid)
    controller.unobserve(live, \Song.title)
    #expect(!second.isValid)
  }

  @Test func computedPropertiesOfSuperclassAndSubclassAreOneKey() {
    let live = LiveSong("a")
    let (former, _) = controller.listen(to: live, \LiveSong.caption, identifier: 1)
    let (received, _) = controller.listen(to: live, \Song.caption, identifier: 1)
    live.plays = 1
    #expect(received.new == ["a (1)"])
    #expect(received.all.map(\.keyPath) == ["caption"])
    #expect(former.count == 0)
  }

  @Test func eachObjectIsObservedForItself() {
    let other = Song("a")
    let (received, _) = controller.listen(to: song, \.title)
    let (others, _) = controller.listen(to: other, \.title)
    other.title = "b"
    #expect(received.count == 0)
    #expect(others.new == ["b"])
  }

  @Test func theRetainingControllerKeepsTheObjectUntilItIsUnobserved() {
    var object: Song? = Song("a")
    let weak = Weak(object)
    if let object { _ = controller.listen(to: object, \.title) }
    object = nil
    #expect(weak.isAlive)
    if let object = weak.object { controller.unobserve(object, \.title) }
    #expect(!weak.isAlive)
  }

  // MARK: Equal values

  private final class Item: KeyValueObject, @unchecked Sendable {
    @Observed var price = 0
    @Observed var child: Item?
    /// Passes on another property, to which it is equal.
    var listPrice: Int { price }
    var passing: Item? { child }
  }

  @Test func aComputedPropertyIsNotTakenForTheOneItPassesOn() {
    let item = Item()
    item.child = Item()
    var received: [String] = []
    func listen(_ name: String, _ keyPath: KeyPath<Item, Int?>) {
      controller.observe(item, keyPath) { (_: Recorder, _, _) in received.append(name) }
    }
    listen("price", \.child?.price)
    listen("list price", \.child?.listPrice)
    listen("passing", \.passing?.price)
    item.child?.price = 1
    #expect(received.sorted() == ["list price", "passing", "price"])
    controller.unobserve(item, \.child?.price)
    item.child?.price = 2
    #expect(received.suffix(from: 3).sorted() == ["list price", "passing"])
  }
}
