import KVOController
import Testing
import _KVOTestSupport

/// A handler that is called once for many changes, and what delivers its calls.
@Suite(.watched) @MainActor struct CoalescedDeliveryTests {
  private final class Screen: KeyValueObject {
    @Observed var text = 0
    var values: [[Int?]] = []
    var calls = 0

    func draw() { calls += 1 }
  }

  /// A model with a getter that notes whether it runs while another thread makes changes.
  private final class Sum: KeyValueObject, @unchecked Sendable {
    @Observed var a = 0
    @Observed var b = 0
    let isElsewhere = Locked(false)
    let reads = Locked<[Bool]>([])

    var sum: Int {
      reads.append(isElsewhere.current)
      return a + b
    }

    override class var keyPaths: [String: AnyKeyPath] { ["sum": \Sum.sum] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "sum" ? ["a", "b"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  private final class Shelf: KeyValueObject {
    @Observed var item: AnyObject?
  }

  private let song = Song("A", plays: 0)
  private let screen = Screen()

  private func observePlays(
    _ options: NSKeyValueObservingOptions = [.old, .new], _ delivery: KVODelivery = .coalesced
  ) -> KVOObservation {
    screen.observe(song, \.plays, options: options, identifier: options.rawValue, delivery: delivery) {
      screen, _, change in
      #expect(change.kind == .setting)
      screen.values.append([change.oldValue, change.newValue])
    }
  }

  private func setPlays(_ numbers: some Sequence<Int> & Sendable) {
    let song = song
    onThreads(1) { _ in for plays in numbers { song.plays = plays } }
  }

  // MARK: One call

  @Test func oneCallIsMadeForAllChangesUntilTheActorsNextTurn() async {
    _ = observePlays()
    for plays in 1...3 { song.plays = plays }
    #expect(screen.values == [])
    while screen.values.isEmpty { await Task.yield() }
    for plays in 4...6 { song.plays = plays }
    while screen.values.count < 2 { await Task.yield() }
    #expect(screen.values == [[0, 3], [3, 6]])
    for _ in 0..<100 { await Task.yield() }
    #expect(screen.values.count == 2)
  }

  @Test func changesOfOtherThreadsBelongToTheSameCall() {
    _ = observePlays()
    setPlays(1...100)
    song.plays = 101
    setPlays([102])
    #expect(screen.values == [])
    screen.kvoController.deliverNow()
    #expect(screen.values == [[0, 102]])
    setPlays([103])
    song.plays = 104
    screen.kvoController.deliverNow()
    #expect(screen.values == [[0, 102], [102, 104]])
  }

  @Test func theInitialCallIsMadeAtOnce() {
    _ = observePlays([.initial, .old, .new])
    #expect(screen.values == [[nil, 0]])
    song.plays = 1
    screen.kvoController.deliverNow()
    #expect(screen.values == [[nil, 0], [0, 1]])
  }

  @Test func aChangeContainsWhatWasRequested() {
    let tokens = [observePlays(.old), observePlays(.new), observePlays([])]
    #expect(tokens.map(\.options) == [.old, .new, []])
    song.plays = 1
    screen.kvoController.deliverNow()
    // The observation that began last is notified first.
    #expect(screen.values == [[nil, nil], [nil, 1], [0, nil]])
  }

  @Test func whatTheHandlerChangesSchedulesTheNextCall() async {
    screen.observe(song, \.plays, delivery: .coalesced) { screen, song, change in
      screen.values.append([change.oldValue, change.newValue])
      if song.plays < 3 { song.plays += 1 }
      #expect(screen.values.last?.last == change.newValue)
    }
    song.plays = 1
    screen.kvoController.deliverNow()
    #expect(screen.values == [[0, 1]])
    while screen.values.count < 3 { await Task.yield() }
    #expect(screen.values == [[0, 1], [1, 2], [2, 3]])
  }

  @Test func aListIsDrawnOnce() {
    let song = song
    screen.observe(song, [\.plays, \.title, \.next?.plays], options: .initial, delivery: .coalesced) { screen, _ in
      screen.draw()
    }
    #expect(screen.calls == 1)
    song.plays = 1
    song.title = "B"
    song.next = Song("C", plays: 1)
    onThreads(1) { _ in song.next?.plays = 2 }
    #expect(screen.calls == 1)
    screen.kvoController.deliverNow()
    #expect(screen.calls == 2)
    screen.kvoController.deliverNow()
    #expect(screen.calls == 2)
  }

  @Test func aChangeOfACollectionIsASettingOfTheWholeOne() {
    var calls: [([String]?, [String]?)] = []
    let controller = screen.kvoController
    controller.observe(song, \.tags, delivery: .coalesced) { _, change in
      #expect(change.kind == .setting)
      calls.append((change.oldValue, change.newValue))
    }
    let song = song
    for isElsewhere in [false, true] {
      onThreads(isElsewhere ? 1 : 0) { _ in
        let tags = song.mutableArrayValue(forKey: "tags")
        tags.add("c")
        tags.removeObject(at: 0)
        tags.add("d")
      }
      if !isElsewhere { song.mutableArrayValue(forKey: "tags").addObjects(from: ["a", "b"]) }
      controller.deliverNow()
    }
    #expect(calls.map(\.0) == [[], ["a", "b"]])
    #expect(calls.map(\.1) == [["a", "b"], ["b", "c", "d"]])
  }

  @Test func theOldValueIsThatOfTheLastCallEvenIfItIsGone() {
    var olds: [String?] = []
    song.next = Song("B")
    let controller = screen.kvoController
    controller.observe(song, \.next, delivery: .coalesced) { _, change in olds.append(change.oldValue??.title) }
    song.next = Song("C")
    song.next = Song("D")
    controller.deliverNow()
    song.next = nil
    controller.deliverNow()
    #expect(olds == ["B", "D"])
  }

  /// The object is remembered, but not retained, and the text is compared by what it contains.
  @Test func aTextIsNotTheSameAsAnObjectThatIsGone() {
    var calls = 0
    let (shelf, controller) = (Shelf(), screen.kvoController)
    controller.observe(shelf, \.item, options: .new, delivery: [.distinct, .coalesced]) { _, _ in calls += 1 }
    shelf.item = Song("A")
    controller.deliverNow()
    shelf.item = NSString("B")
    controller.deliverNow()
    #expect(calls == 2)
  }

  @Test func aReplacedObjectOnThePathIsFollowed() {
    song.next = Song("B", plays: 1)
    screen.observe(song, \.next?.plays, delivery: .coalesced) { screen, _, change in
      screen.values.append([change.oldValue ?? nil, change.newValue ?? nil])
    }
    song.next?.plays = 2
    song.next = Song("C", plays: 3)
    song.next?.plays = 4
    screen.kvoController.deliverNow()
    song.next?.plays = 5
    screen.kvoController.deliverNow()
    #expect(screen.values == [[1, 4], [4, 5]])
  }

  @Test func theActorRunsNoGetterOverWhatAnotherThreadChanges() {
    let sum = Sum()
    screen.observe(sum, \.sum, options: .new, delivery: .coalesced) { screen, _, change in
      screen.values.append([change.newValue])
    }
    sum.reads.withLock { $0 = [] }
    onThreads(1) { _ in
      sum.isElsewhere.withLock { $0 = true }
      for number in 1...3 { sum.a = number }
      sum.isElsewhere.withLock { $0 = false }
    }
    screen.kvoController.deliverNow()
    #expect(screen.values == [[3]])
    #expect(!sum.reads.current.isEmpty && !sum.reads.current.contains(false))
    // Its own changes are read when they are made.
    for number in 1...100 { sum.b = number }
    sum.reads.withLock { $0 = [] }
    screen.kvoController.deliverNow()
    #expect(screen.values == [[3], [103]])
    #expect(sum.reads.current.isEmpty)
  }

  // MARK: With distinct

  @Test func thereAndBackCallsNobody() {
    _ = observePlays([.old, .new], [.distinct, .coalesced])
    song.plays = 1
    song.plays = 0
    screen.kvoController.deliverNow()
    setPlays([1, 2, 0])
    screen.kvoController.deliverNow()
    #expect(screen.values == [])
    song.plays = 1
    screen.kvoController.deliverNow()
    #expect(screen.values == [[0, 1]])
  }

  @Test func anObjectThatIsGoneIsNotNil() {
    song.next = Song("B")
    screen.observe(song, \.next, options: [], delivery: [.distinct, .coalesced]) { screen, _, _ in screen.draw() }
    song.next = nil
    screen.kvoController.deliverNow()
    #expect(screen.calls == 1)
  }

  @Test func aListThatHasTheSameValuesAgainIsNotDrawn() {
    screen.observe(song, [\.plays, \.title], delivery: [.distinct, .coalesced]) { screen, _ in screen.draw() }
    song.plays = 1
    song.title = "B"
    song.plays = 0
    song.title = "A"
    screen.kvoController.deliverNow()
    setPlays([1, 0])
    screen.kvoController.deliverNow()
    #expect(screen.calls == 0)
    song.title = "B"
    screen.kvoController.deliverNow()
    #expect(screen.calls == 1)
  }

  // MARK: The end

  @Test func nothingIsCalledAfterTheEnd() async {
    let token = observePlays()
    song.plays = 1
    setPlays([2])
    token.invalidate()
    screen.kvoController.deliverNow()
    for _ in 0..<100 { await Task.yield() }
    #expect(screen.values == [])
  }

  @Test func whatReplacesItGetsWhatWaits() async {
    for _ in 0..<2 {
      screen.observe(song, [\.plays], identifier: 1, delivery: .coalesced) { screen, _ in screen.draw() }
      song.plays += 1
    }
    screen.observe(song, [\.plays], identifier: 1, delivery: .coalesced) { screen, _ in screen.calls += 10 }
    while screen.calls == 0 { await Task.yield() }
    #expect(screen.calls == 10)
  }

  // MARK: Replaced while something waits

  nonisolated private static let deliveries: [KVODelivery] = [.each, .distinct, .coalesced, [.distinct, .coalesced]]

  private func observeAgain(_ delivery: KVODelivery) {
    screen.observe(song, \.plays, options: .new, identifier: 1, delivery: delivery) { screen, _, change in
      screen.values.append([change.newValue])
    }
  }

  @Test(arguments: deliveries, deliveries)
  func whatWaitsIsDeliveredNowToWhatReplacesItIfItIsDeliveredAlike(former: KVODelivery, latter: KVODelivery) {
    observeAgain(former)
    setPlays([1])
    observeAgain(latter)
    screen.kvoController.deliverNow()
    #expect(screen.values == (former == latter ? [[1]] : []))
    setPlays([2])
    screen.kvoController.deliverNow()
    #expect(screen.values.last == [2])
  }

  @Test(arguments: deliveries) func whatWaitsIsDroppedForTheInitialCall(delivery: KVODelivery) {
    observeAgain(delivery)
    setPlays([1, 2])
    screen.observe(song, \.plays, options: [.initial, .new], identifier: 1, delivery: delivery) { screen, _, change in
      screen.values.append([change.newValue])
    }
    screen.kvoController.deliverNow()
    #expect(screen.values == [[2]])
  }

  @Test(arguments: deliveries) func theOldValueIsThatOfTheFormersLastCall(delivery: KVODelivery) {
    func observe() {
      screen.observe(song, \.plays, options: [.old, .new], identifier: 1, delivery: delivery) { screen, _, change in
        screen.values.append([change.oldValue, change.newValue])
      }
    }
    observe()
    setPlays([1])
    screen.kvoController.deliverNow()
    setPlays([2])
    observe()
    setPlays([3])
    observe()
    screen.kvoController.deliverNow()
    #expect(screen.values == (delivery.contains(.coalesced) ? [[0, 1], [1, 3]] : [[0, 1], [1, 2], [2, 3]]))
  }

  @Test(arguments: deliveries) func replacingRunsNoGetterThatAnotherThreadCouldDisturb(delivery: KVODelivery) {
    let sum = Sum()
    func observe() {
      screen.observe(sum, \.sum, options: .new, identifier: 1, delivery: delivery) { screen, _, change in
        screen.values.append([change.newValue])
      }
    }
    observe()
    onThreads(1) { _ in sum.a = 1 }
    sum.reads.withLock { $0 = [] }
    observe()
    screen.kvoController.deliverNow()
    #expect(screen.values == [[1]])
    #expect(sum.reads.current.isEmpty)
  }

  @Test func whatWaitsForTheMainActorIsNotDeliveredToAHandlerForAnyThread() {
    observeAgain(.each)
    setPlays([1])
    let calls = Locked(0)
    screen.kvoController.observe(song, \.plays, options: .new, identifier: 1, isolation: nil) { _, _ in calls.add() }
    screen.kvoController.deliverNow()
    #expect(screen.values == [] && calls.current == 0)
    setPlays([2])
    #expect(calls.current == 1)
  }

  @Test func replacingWhileMuchWaitsIsLinear() {
    setPlays(1...1)
    observeAgain(.each)
    setPlays(1...16_000)
    for _ in 0..<1600 { observeAgain(.each) }
    screen.kvoController.deliverNow()
    #expect(screen.values.count == 16_000 && screen.values.last == [16_000])
  }

  @Test func whatIsReplacedWhileSomethingWaitsIsReleasedAtOnce() {
    func observe() -> Weak<Song> {
      let captured = Song()
      screen.observe(song, \.plays, options: .new, identifier: 1) { _, _, _ in withExtendedLifetime(captured) {} }
      return Weak(captured)
    }
    let first = observe()
    setPlays([1])
    let second = observe()
    #expect(first.object == nil && second.object != nil)
    screen.kvoController.unobserveAll()
    #expect(second.object == nil)
  }

  @Test func whatAnEarlierObserverReplacesReadsTheValueByItsInitialCall() {
    observeAgain(.each)
    let other = Recorder()
    other.kvoController.observe(song, \.plays) { [self] _, _ in
      screen.observe(song, \.plays, options: [.initial, .new], identifier: 1) { screen, _, change in
        screen.values.append([change.newValue])
      }
      other.kvoController.unobserveAll()
    }
    song.plays = 1
    #expect(screen.values == [[1]])
  }

  @Test func aHandlerThatReplacesItselfWhileChangesWaitHearsTheLastOne() {
    func observe() {
      screen.observe(song, \.plays, options: .new, identifier: 1, delivery: .distinct) { screen, _, change in
        screen.values.append([change.newValue])
        observe()
      }
    }
    observe()
    setPlays(1...6)
    screen.kvoController.deliverNow()
    #expect(screen.values.last == [6])
    screen.kvoController.unobserveAll()
  }

  @Test func whatTheActorChangesComesAfterWhatHasWaitedForTheFormer() {
    observeAgain(.each)
    setPlays([1])
    observeAgain(.each)
    song.plays = 2
    #expect(screen.values == [[1], [2]])
  }

  @Test func oneCallIsMadeForManyReplacements() {
    for plays in 1...1000 {
      observeAgain(.coalesced)
      song.plays = plays
    }
    screen.kvoController.deliverNow()
    #expect(screen.values == [[1000]])
  }

  // MARK: The object

  @Test func theObjectIsNotRetainedMeanwhile() async {
    screen.kvoController = KVOController(observer: screen, retainObserved: false)
    var song: Song? = Song()
    screen.observe(song!, \.plays, delivery: .coalesced) { screen, _, _ in screen.draw() }
    let shared = Locked(song)
    onThreads(1) { _ in shared.current?.plays = 1 }
    song!.plays = 2
    weak let weakSong = song
    (song, _) = (nil, shared.take())
    #expect(weakSong == nil)
    screen.kvoController.deliverNow()
    for _ in 0..<100 { await Task.yield() }
    #expect(screen.calls == 0)
  }

  @Test func anotherActorGetsItsCall() async {
    let (listener, song) = (QueueListener(), song)
    await listener.run { listener in
      let state = listener.state
      state.controller.observe(song, \.plays, options: .new, delivery: .coalesced) {
        [weak state, weak listener] _, change in
        listener?.preconditionIsolated()
        state?.numbers.append(change.newValue ?? -1)
      }
      song.plays = 1
      song.plays = 2
      #expect(state.numbers == [])
    }
    while await listener.numbers.isEmpty { await Task.yield() }
    song.plays = 3
    song.plays = 4
    while await listener.numbers.last != 4 { await Task.yield() }
    #expect(await listener.numbers.count <= 3)
    await listener.run { $0.state.controller.unobserveAll() }
  }

  // MARK: deliverNow

  @Test func whatOtherThreadsHaveChangedIsDeliveredNow() {
    let (song, screen) = (song, screen)
    let part = Song("part")
    song.parts = [part]
    screen.observe(song, \.plays) { screen, _, change in screen.values.append([change.oldValue, change.newValue]) }
    screen.observe(song, elements: \.parts, \.plays) { screen, _, change in screen.values.append([change.newValue]) }
    screen.bind(song, \.plays, to: \.text)
    onThreads(1) { _ in
      song.plays = 1
      song.plays = 2
      part.plays = 3
    }
    #expect(screen.values == [] && screen.text == 0)
    screen.kvoController.deliverNow()
    #expect(screen.values == [[0, 1], [1, 2], [3]])
    #expect(screen.text == 2)
  }

  @Test func aBindingBothWaysIsDeliveredNow() {
    let (song, other) = (song, Song())
    other.bindBothWays(song, \.plays, with: \.plays)
    onThreads(1) { _ in song.plays = 1 }
    other.kvoController.deliverNow()
    #expect(other.plays == 1)
    onThreads(1) { _ in other.plays = 2 }
    other.kvoController.deliverNow()
    #expect(song.plays == 2)
  }

  @Test func withinAHandlerThatItCallsItDoesNothing() {
    screen.observe(song, \.title, delivery: .coalesced) { screen, song, _ in
      song.plays = 1
      screen.kvoController.deliverNow()
      #expect(screen.values == [])
    }
    _ = observePlays()
    song.title = "B"
    screen.kvoController.deliverNow()
    // It waits for what was scheduled meanwhile.
    #expect(screen.values == [])
    screen.kvoController.deliverNow()
    #expect(screen.values == [[0, 1]])
  }

  @Test func itDeliversForTheCallersActorOnly() async {
    let (listener, song) = (DefaultListener(), song)
    _ = observePlays()
    // Controllers can be used on any thread.
    nonisolated(unsafe) let controller = screen.kvoController
    song.plays = 1
    await listener.run { _ in controller.deliverNow() }
    onThreads(1) { _ in controller.deliverNow() }
    #expect(screen.values == [] || screen.values == [[0, 1]])
    controller.deliverNow()
    #expect(screen.values == [[0, 1]])
  }
}
