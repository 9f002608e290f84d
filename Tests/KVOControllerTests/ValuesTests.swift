import KVOController
import Testing
import _KVOTestSupport

/// The elements of sequences of values and changes.
@Suite(.watched) struct ValuesTests {
  let song = Song("a")
  let recorder = Recorder()
  let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  /// The elements of a sequence until it finishes.
  private func rest<Element: Sendable>(_ stream: AsyncStream<Element>) async -> [Element] {
    await stream.reduce(into: []) { $0.append($1) }
  }

  @Test func valuesBeginWithTheCurrentOne() async {
    let values = controller.values(of: song, \.title)
    song.title = "b"
    song.title = "c"
    controller.unobserveAll()
    #expect(await rest(values) == ["a", "b", "c"])
  }

  @Test func changesBeginWithTheFirstChange() async {
    let changes = controller.changes(of: song, \.title)
    song.title = "b"
    controller.unobserveAll()
    let all = await rest(changes)
    #expect(all.map(\.newValue) == ["b"])
    #expect(all.map(\.oldValue) == ["a"])
    #expect(all.map(\.keyPath) == ["title"])
  }

  @Test func changesBeginWithTheCurrentValueIfRequested() async {
    let changes = controller.changes(of: song, \.title, options: [.initial, .new, .prior])
    song.title = "b"
    controller.unobserveAll()
    let all = await rest(changes)
    #expect(all.map(\.newValue) == ["a", nil, "b"])
    #expect(all.map(\.isPrior) == [false, true, false])
  }

  @Test func nilIsAValueOfAnOptional() async {
    let values = controller.values(of: song, \.rating)
    song.rating = 1
    song.rating = nil
    controller.unobserveAll()
    #expect(await rest(values) == [nil, 1, nil])
  }

  @Test func enumsArriveAsEnums() async {
    let values = controller.values(of: song, \.mood)
    song.mood = .wild
    controller.unobserveAll()
    #expect(await rest(values) == [.calm, .wild])
  }

  @Test func pathsThroughObjectsAreFollowed() async {
    let values = controller.values(of: song, \.next?.title)
    song.next = Song("n")
    song.next?.title = "m"
    song.next = nil
    controller.unobserveAll()
    #expect(await rest(values) == [nil, "n", "m", nil])
  }

  @Test func computedPropertiesAreFollowed() async {
    let values = controller.values(of: song, \.caption)
    song.plays = 1
    controller.unobserveAll()
    #expect(await rest(values) == ["a (0)", "a (1)"])
  }

  @Test func valuesOfArraysAreWhole() async {
    let values = controller.values(of: song, \.tags)
    let tags = song.mutableArrayValue(forKey: "tags")
    tags.add("x")
    tags.add("y")
    tags.removeObject(at: 0)
    tags.replaceObject(at: 0, with: "z")
    song.tags.append("w")
    controller.unobserveAll()
    #expect(await rest(values) == [[], ["x"], ["x", "y"], ["y"], ["z"], ["z", "w"]])
  }

  @Test func valuesOfSetsAreWhole() async {
    let values = controller.values(of: song, \.marks)
    song.mutableSetValue(forKey: "marks").union([1, 2])
    song.mutableSetValue(forKey: "marks").remove(1)
    song.marks.insert(3)
    controller.unobserveAll()
    #expect(await rest(values) == [[], [1, 2], [2], [2, 3]])
  }

  @Test func changesOfArraysContainInsertedElementsAndIndexes() async {
    let changes = controller.changes(of: song, \.tags)
    song.mutableArrayValue(forKey: "tags").add("x")
    controller.unobserveAll()
    let all = await rest(changes)
    #expect(all.map(\.kind) == [.insertion])
    #expect(all.map(\.newValue) == [["x"]])
    #expect(all.map(\.indexes) == [[0]])
  }

  @Test func sequencesAreIndependentOfEachOther() async {
    let first = controller.values(of: song, \.title)
    song.title = "b"
    let second = controller.values(of: song, \.title)
    for await _ in first { break }
    song.title = "c"
    controller.unobserveAll()
    #expect(await rest(second) == ["b", "c"])
  }

  @Test func sequencesAreIndependentOfHandlers() async {
    let (received, _) = controller.listen(to: song, \.title)
    let values = controller.values(of: song, \.title)
    song.title = "b"
    for await value in values where value == "b" { break }
    song.title = "c"
    #expect(received.new == ["b", "c"])
  }

  @Test func byDefaultNothingIsLost() async {
    let values = controller.values(of: song, \.plays)
    for number in 1...1000 { song.plays = number }
    controller.unobserveAll()
    #expect(await rest(values) == Array(0...1000))
  }

  @Test func theCallerMayKeepOnlyTheLatest() async {
    let values = controller.values(of: song, \.plays, bufferingPolicy: .bufferingNewest(1))
    let changes = controller.changes(of: song, \.plays, bufferingPolicy: .bufferingNewest(1))
    for number in 1...1000 { song.plays = number }
    controller.unobserveAll()
    #expect(await rest(values) == [1000])
    #expect(await rest(changes).map(\.newValue) == [1000])
  }

  @Test func changesOfOtherThreadsArriveInTheirOrder() async {
    let song = song
    let values = controller.values(of: song, \.plays)
    let lock = Locked(0)
    onThreads(4) { _ in
      for _ in 0..<1000 {
        lock.withLock { number in
          number += 1
          song.plays = number
        }
      }
    }
    controller.unobserveAll()
    #expect(await rest(values) == Array(0...4000))
  }

  @Test @MainActor func aTaskOfTheMainActorTakesTheValuesThere() async {
    let song = song
    let values = controller.values(of: song, \.plays)
    let task = Task {
      var numbers: [Int] = []
      for await number in values {
        MainActor.preconditionIsolated()
        numbers.append(number)
        if number == 2 { break }
      }
      return numbers
    }
    onThreads(1) { _ in
      song.plays = 1
      song.plays = 2
    }
    #expect(await task.value == [0, 1, 2])
  }
}
