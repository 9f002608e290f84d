import KVOController
import Testing
import _KVOTestSupport

/// A handler that isn't called for the value that was delivered last.
@Suite(.watched) @MainActor struct DistinctDeliveryTests {
  private final class Screen: KeyValueObject {
    var values: [Int] = []
    var calls = 0
  }

  private protocol Pet: AnyObject, Sendable {}
  private protocol Cage<Content>: AnyObject, Sendable {
    associatedtype Content
  }

  private final class Plain: Pet, Cage {
    typealias Content = Int
  }

  private final class Holder: KeyValueObject, @unchecked Sendable {
    @Observed var plain: Plain?
    @Observed var object: AnyObject?
    @Observed var pet: any Pet = Plain()
    @Observed var pets: [any Pet] = []
    @Observed var sendable: (any Pet & Cage & CustomStringConvertible & CustomReflectable)?
    @Observed var all: [Plain] = []
    @Observed var number = 0.0
    @ObservedWeak var song: Song?
    var item: (any Sendable & AnyObject)? { song }
  }

  private let song = Song("A", plays: 1)
  private let screen = Screen()

  private func observePlays(_ options: NSKeyValueObservingOptions = [.old, .new]) -> KVOObservation {
    screen.observe(song, \.plays, options: options, delivery: .distinct) { screen, _, change in
      screen.values.append(change.newValue ?? -1)
    }
  }

  @Test func anEqualValueIsNotDelivered() {
    _ = observePlays()
    for plays in [1, 2, 2, 2, 1, 1, 3] { song.plays = plays }
    #expect(screen.values == [2, 1, 3])
  }

  @Test func theFirstChangeIsComparedWithTheInitialValue() {
    _ = observePlays([.initial, .new])
    song.plays = 1
    #expect(screen.values == [1])
    song.plays = 2
    #expect(screen.values == [1, 2])
  }

  @Test func theOptionsAreThoseThatWerePassed() {
    let token = observePlays(.old)
    #expect(token.options == .old)
    #expect(screen.values == [])
    song.plays = 1
    song.plays = 2
    #expect(screen.values == [-1])
    var olds: [Int?] = []
    let controller = KVOController(observer: screen)
    controller.observe(song, \.plays, options: [], delivery: .distinct) { _, change in olds.append(change.oldValue) }
    song.plays = 3
    #expect(olds == [nil])
  }

  @Test func itIsComparedWithWhatWasDeliveredLastWhateverHappenedInBetween() {
    _ = observePlays()
    // A handler that is called earlier changes the value again.
    let other = Recorder()
    other.kvoController.observe(song, \.plays) { song, change in if change.newValue == 2 { song.plays = 1 } }
    song.plays = 2
    #expect(screen.values == [])
    withExtendedLifetime(other) { song.plays = 3 }
    #expect(screen.values == [3])
  }

  @Test func theValueIsRememberedBeforeTheHandlerRuns() {
    screen.observe(song, \.plays, delivery: .distinct) { screen, song, change in
      screen.values.append(change.newValue ?? -1)
      song.plays = 2
      if screen.values.count < 5 { song.plays = 7 }
    }
    song.plays = 2
    #expect(screen.values == [2, 7, 2, 7, 2])
  }

  @Test func nilIsAValue() {
    screen.observe(song, \.rating, delivery: .distinct) { screen, _, change in
      screen.values.append((change.newValue ?? nil) ?? -1)
    }
    for rating in [nil, 1, 1, nil, nil] as [Int?] { song.rating = rating }
    #expect(screen.values == [1, -1])
  }

  @Test func anObjectIsTheSameOnlyIfItIsTheSameOne() {
    let (holder, screen) = (Holder(), screen)
    screen.observe(holder, \.plain, delivery: .distinct) { screen, _, _ in screen.calls += 1 }
    screen.observe(holder, \.all, delivery: .distinct) { screen, _, _ in screen.calls += 10 }
    let plain = Plain()
    for _ in 0..<2 { holder.plain = plain }
    #expect(screen.calls == 1)
    holder.plain = Plain()
    #expect(screen.calls == 2)
    for _ in 0..<2 { holder.all = [plain] }
    #expect(screen.calls == 12)
    holder.all = [Plain()]
    #expect(screen.calls == 22)
  }

  @Test func anObjectOfAnExistentialTypeIsComparedAsOne() {
    let (holder, screen, plain) = (Holder(), screen, Plain())
    screen.observe(holder, \.object, delivery: .distinct) { screen, _, _ in screen.calls += 1 }
    screen.observe(holder, \.pet, delivery: .distinct) { screen, _, _ in screen.calls += 10 }
    screen.observe(holder, [\.pets, \.sendable], delivery: .distinct) { screen, _ in screen.calls += 100 }
    for _ in 0..<2 {
      holder.object = plain
      holder.pet = plain
      holder.pets = [plain]
      holder.sendable = nil
    }
    #expect(screen.calls == 111)
    (holder.object, holder.pet, holder.pets) = (Plain(), Plain(), [Plain()])
    #expect(screen.calls == 222)
    // Immutable values of Foundation's are equal by their values.
    for _ in 0..<2 { holder.object = NSString(string: "a long enough text to be an object of its own") }
    #expect(screen.calls == 223)
  }

  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  private final class Cages: KeyValueObject, @unchecked Sendable {
    @Observed var cage: (any Cage<Int>)?
  }

  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  @Test func anObjectOfAnExistentialTypeWithArgumentsIsComparedAsOne() async {
    let (cages, screen, plain) = (Cages(), screen, Plain())
    screen.observe(cages, \.cage, delivery: .distinct) { screen, _, _ in screen.calls += 1 }
    for _ in 0..<2 { cages.cage = plain }
    cages.cage = Plain()
    #expect(screen.calls == 2)
  }

  @Test func anObjectIsRememberedWeakly() {
    let (holder, screen) = (Holder(), screen)
    screen.observe(holder, \.song, delivery: .distinct) { screen, _, _ in screen.calls += 1 }
    screen.observe(holder, \.item, delivery: .distinct) { screen, _, _ in screen.calls += 10 }
    var other: Song? = Song()
    holder.song = other
    weak let weakOther = other
    other = nil
    #expect(weakOther == nil)
    // It was another object.
    holder.song = nil
    #expect(screen.calls == 22)
  }

  @Test func aReplacedObjectOnThePathCountsOnlyWithAnotherValue() {
    song.next = Song("B", plays: 5)
    screen.observe(song, \.next?.plays, delivery: .distinct) { screen, _, change in
      screen.values.append((change.newValue ?? nil) ?? -1)
    }
    song.next = Song("C", plays: 5)
    #expect(screen.values == [])
    song.next = Song("D", plays: 6)
    song.next = nil
    song.next = nil
    #expect(screen.values == [6, -1])
  }

  @Test func insertionsAreAlwaysDelivered() {
    var kinds: [NSKeyValueChange] = []
    let controller = KVOController(observer: screen)
    controller.observe(song, \.tags, delivery: .distinct) { _, change in kinds.append(change.kind) }
    let tags = song.mutableArrayValue(forKey: "tags")
    tags.add("a")
    // The same collection.
    song.tags = ["a"]
    tags.add("b")
    tags.replaceObject(at: 1, with: "b")
    tags.removeObject(at: 1)
    #expect(kinds == [.insertion, .insertion, .replacement, .removal])
    song.tags = ["a"]
    song.tags = []
    #expect(kinds.count == 5)
  }

  // MARK: Lists

  @Test func aListIsDeliveredIfOneOfItsValuesDiffers() {
    screen.observe(song, [\.plays, \.title, \.next?.plays], delivery: .distinct) { screen, _ in screen.calls += 1 }
    song.plays = 1
    song.title = "A"
    song.next = nil
    #expect(screen.calls == 0)
    song.title = "B"
    #expect(screen.calls == 1)
    song.next = Song("", plays: 1)
    #expect(screen.calls == 2)
    song.next = Song("", plays: 1)
    song.title = "B"
    #expect(screen.calls == 2)
    screen.unobserve(song, \.title)
    song.plays = 1
    #expect(screen.calls == 2)
    song.plays = 2
    #expect(screen.calls == 3)
  }

  @Test(arguments: [KVODelivery.each, .distinct, .coalesced])
  func theOptionsOfAListAreThoseThatWerePassed(delivery: KVODelivery) {
    let token = screen.observe(song, [\.plays], options: [.new, .initial], delivery: delivery) { screen, _ in
      screen.calls += 1
    }
    #expect(token.options == [.new, .initial])
    song.plays = 100
    screen.kvoController.deliverNow()
    #expect(screen.calls == 2)
  }

  @Test func aListWithInitialIsCalledAtOnce() {
    let token = screen.observe(song, [\.plays, \.title], options: .initial, delivery: .distinct) { screen, _ in
      screen.calls += 1
    }
    #expect(screen.calls == 1)
    #expect(token.options == .initial)
    song.plays = 1
    #expect(screen.calls == 1)
  }

  @Test func aListIsComparedWithWhatAProxyHasMade() {
    screen.observe(song, [\.tags], delivery: .distinct) { screen, _ in screen.calls += 1 }
    song.mutableArrayValue(forKey: "tags").add("a")
    #expect(screen.calls == 1)
    song.tags = ["a"]
    #expect(screen.calls == 1)
    song.tags = []
    #expect(screen.calls == 2)
  }

  // MARK: Comparing runs foreign code

  /// A value that runs code when it is compared.
  private struct Trigger: Equatable, @unchecked Sendable {
    let number: Int
    var compare: () -> Void = {}

    static func == (left: Self, right: Self) -> Bool {
      left.compare()
      right.compare()
      return left.number == right.number
    }
  }

  private final class Box: KeyValueObject, @unchecked Sendable {
    @Observed var trigger = Trigger(number: 0)
  }

  private func observe(_ box: Box) -> KVOObservation {
    screen.observe(box, \.trigger, options: .new, delivery: .distinct) { screen, _, change in
      screen.values.append(change.newValue?.number ?? -1)
    }
  }

  /// Sets a value whose first comparison sets another one.
  private func set(_ box: Box, to number: Int, settingWhenCompared other: Int) {
    var isFirst = true
    box.trigger = Trigger(number: number) {
      if isFirst {
        isFirst = false
        box.trigger = Trigger(number: other)
      }
    }
  }

  @Test func aComparisonThatSetsTheValueDeliversTheNewestLast() {
    let box = Box()
    _ = observe(box)
    set(box, to: 5, settingWhenCompared: 7)
    #expect(screen.values == [7])
    box.trigger = Trigger(number: 8)
    #expect(screen.values == [7, 8])
  }

  @Test func aComparisonThatSetsTheFormerValueCallsNobody() {
    let box = Box()
    _ = observe(box)
    set(box, to: 5, settingWhenCompared: 0)
    #expect(screen.values == [])
    box.trigger = Trigger(number: 8)
    #expect(screen.values == [8])
  }

  @Test func aComparisonThatEndsTheObservationCallsNobody() {
    let box = Box()
    let token = observe(box)
    box.trigger = Trigger(number: 5) { token.invalidate() }
    #expect(screen.values == [])
    #expect(!token.isValid)
  }

  // MARK: Threads

  @Test func itIsDecidedOnTheActor() async {
    _ = observePlays()
    let song = song
    onThreads(1) { _ in for plays in [1, 2, 2, 1, 1, 3] { song.plays = plays } }
    #expect(screen.values == [])
    screen.kvoController.deliverNow()
    #expect(screen.values == [2, 1, 3])
    onThreads(1) { _ in song.plays = 4 }
    // Comes after that of the other thread.
    song.plays = 4
    #expect(screen.values == [2, 1, 3, 4])
  }

  /// A model of which each property belongs to a thread of its own, and is read by that only.
  private final class Halves: KeyValueObject, @unchecked Sendable {
    @Observed var left = 0
    @Observed var right = 0
    let readers = Locked<[String]>([])
    let isElsewhere = Locked(false)

    var leftHalf: Int { note("left", left) }
    var rightHalf: Int { note("right", right) }
    /// Depends on both.
    var whole: Int { note("whole", left + right) }

    private func note(_ name: String, _ value: Int) -> Int {
      readers.append(isElsewhere.current ? "\(name) elsewhere" : name)
      return value
    }

    override class var keyPaths: [String: AnyKeyPath] {
      ["leftHalf": \Halves.leftHalf, "rightHalf": \Halves.rightHalf, "whole": \Halves.whole]
    }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "leftHalf": ["left"]
      case "rightHalf": ["right"]
      case "whole": ["leftHalf", "rightHalf"]
      default: super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
  }

  @Test(arguments: [KVODelivery.distinct, [.distinct, .coalesced]])
  func aChangeReadsTheKeyPathsOfAListThatItAffects(delivery: KVODelivery) {
    let (halves, screen) = (Halves(), screen)
    screen.observe(halves, [\.leftHalf, \.rightHalf, \.whole], delivery: delivery) { screen, _ in screen.calls += 1 }
    halves.readers.withLock { $0 = [] }
    onThreads(1) { _ in
      halves.isElsewhere.withLock { $0 = true }
      halves.left = 1
      halves.isElsewhere.withLock { $0 = false }
    }
    #expect(Set(halves.readers.take()) == ["left elsewhere", "whole elsewhere"])
    screen.kvoController.deliverNow()
    #expect(screen.calls == 1)
    #expect(halves.readers.take() == [])
    halves.right = 0
    #expect(Set(halves.readers.take()) == ["right", "whole"])
    screen.kvoController.deliverNow()
    #expect(screen.calls == 1)
    halves.right = 2
    screen.kvoController.deliverNow()
    #expect(screen.calls == 2)
  }

  @Test func whatTwoThreadsChangeOfACoalescedListIsComparedWhole() {
    let (halves, screen) = (Halves(), screen)
    screen.observe(halves, [\.leftHalf, \.rightHalf], delivery: [.distinct, .coalesced]) { screen, _ in
      screen.calls += 1
    }
    onThreads(1) { _ in halves.left = 1 }
    onThreads(1) { _ in halves.right = 0 }
    screen.kvoController.deliverNow()
    #expect(screen.calls == 1)
    // There and back, on two threads.
    onThreads(1) { _ in halves.left = 2 }
    onThreads(1) { _ in halves.right = 3 }
    onThreads(1) { _ in halves.left = 1 }
    onThreads(1) { _ in halves.right = 0 }
    screen.kvoController.deliverNow()
    #expect(screen.calls == 1)
  }

  @Test func aListIsReadByTheThreadThatMakesTheChange() {
    screen.observe(song, [\.plays, \.title], delivery: .distinct) { screen, _ in screen.calls += 1 }
    let song = song
    onThreads(1) { _ in for plays in [1, 2, 2, 3] { song.plays = plays } }
    screen.kvoController.deliverNow()
    #expect(screen.calls == 2)
  }

  // MARK: Sequences

  @Test func aSequenceGetsDistinctValues() async {
    let values = screen.kvoController.values(of: song, \.plays, distinct: true)
    let changes = screen.kvoController.changes(of: song, \.tags, options: .new, distinct: true)
    for plays in [1, 2, 2, 1, 1, 3] { song.plays = plays }
    for tags in [[], ["a"], ["a"]] { song.tags = tags }
    song.mutableArrayValue(forKey: "tags").add("b")
    song.tags = ["a", "b"]
    screen.unobserve(song)
    var all: [Int] = []
    for await value in values { all.append(value) }
    #expect(all == [1, 2, 1, 3])
    var kinds: [NSKeyValueChange] = []
    for await change in changes { kinds.append(change.kind) }
    #expect(kinds == [.setting, .insertion])
  }

  @Test func aSequenceOfCollectionsGetsWholeOnes() async {
    let values = screen.kvoController.values(of: song, \.tags, distinct: true)
    song.mutableArrayValue(forKey: "tags").add("a")
    song.tags = ["a"]
    screen.unobserve(song)
    var all: [[String]] = []
    for await value in values { all.append(value) }
    #expect(all == [[], ["a"]])
  }
}

/// The same, where handlers are called on the threads that make the changes.
@Suite(.watched) struct DistinctDeliveryOnThreadsTests {
  @Test func afterCallsThatOverlapTheNextOneIsMade() {
    let (song, calls, isIn, isOut) = (Song(plays: 0), Locked<[Int]>([]), Locked(false), Locked(false))
    let controller = KVOController(observer: calls)
    controller.observe(song, \.plays, delivery: .distinct) { _, change in
      calls.append(change.newValue ?? -1)
      guard change.newValue == 2 else { return }
      isIn.withLock { $0 = true }
      while !isOut.current { sched_yield() }
    }
    onThreads(2) { thread in
      if thread == 0 { song.plays = 2; return }
      while !isIn.current { sched_yield() }
      // The writer of the first value waits in its handler.
      song.plays = 3
      isOut.withLock { $0 = true }
    }
    // It isn't known which handler has come to its end last.
    for _ in 0..<3 { song.plays = 3 }
    #expect(calls.current == [2, 3, 3])
  }

  @Test func threadsThatSetTheSameValueMakeOneCall() {
    let (song, calls) = (Song(plays: 0), Locked<[Int]>([]))
    let controller = KVOController(observer: calls)
    controller.observe(song, \.plays, delivery: .distinct) { _, change in calls.append(change.newValue ?? -1) }
    for plays in 1...100 {
      song.plays = plays
      onThreads(4) { _ in for _ in 0..<10 { song.play(plays) } }
    }
    #expect(calls.current == Array(1...100))
  }
}
