import KVOController
import Testing
import _KVOTestSupport

/// Changes of other threads reach an actor in turns, which neither grow the stack nor keep the actor.
@Suite(.watched) @MainActor struct ActorDeliveryTests {
  /// A model with a computed property that depends on two others.
  private final class Order: KeyValueObject, @unchecked Sendable {
    @Observed var items = 0
    @Observed var fee = 0
    @Observed var numbers: [Int] = []

    var total: Int { items + fee }

    override class var keyPaths: [String: AnyKeyPath] { ["total": \Order.total] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "total" ? ["items", "fee"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    /// Sets the number of items on another thread.
    func order(_ items: some Sequence<Int> & Sendable) {
      onThreads(1) { _ in for items in items { self.items = items } }
    }
  }

  private final class Screen: KeyValueObject {
    var text: [Int] = [] { didSet { texts.append(text) } }
    var texts: [[Int]] = []
    var number = 0 { didSet { numbers.append(number) } }
    var numbers: [Int] = []
  }

  /// What a handler received, and how deep its calls were.
  private final class Calls {
    var values: [Int] = []
    var depth = 0
    var deepest = 0

    func call(_ value: Int?, _ body: () -> Void = {}) {
      depth += 1
      deepest = max(deepest, depth)
      values.append(value ?? -1)
      body()
      depth -= 1
    }
  }

  private let order = Order()
  private let screen = Screen()
  private let calls = Calls()

  @Test func aHandlerThatAnswersEachChangeDoesNotGrowTheStack() {
    let calls = calls
    screen.observe(order, \.total) { _, order, change in
      calls.call(change.newValue) { if order.fee != order.items { order.fee = order.items } }
    }
    order.order(1...20_000)
    order.fee = 1
    #expect(calls.deepest <= 4)
    #expect(calls.values.count > 20_000)
    #expect(calls.values.last == 40_000)
  }

  @Test func aSetOnTheActorReturnsAfterWhatWaitedWhenItBegan() async {
    let calls = calls
    screen.observe(order, \.items) { _, order, change in
      calls.call(change.newValue) { order.order([1000 + calls.values.count]) }
    }
    order.order(1...10)
    order.items = 11
    // What other threads have queued meanwhile waits.
    #expect(calls.values == Array(1...11))
    while calls.values.count < 22 { await Task.yield() }
    #expect(Array(calls.values[11..<22]) == Array(1001...1011))
    screen.unobserve(order)
  }

  @Test(arguments: [true, false])
  func aChangeOfAHandlerComesAfterThoseThatWaitAndNotInsideOfIt(isFirst: Bool) {
    let calls = calls
    screen.observe(order, \.items) { _, order, change in
      calls.call(change.newValue) {
        guard change.newValue == 1 else { return }
        order.order(2...3)
        order.items = 4
        #expect(calls.values == [1])
      }
    }
    if !isFirst {
      order.order([-1])
      order.items = -2
      calls.values = []
    }
    order.items = 1
    #expect(calls.values == [1, 2, 3, 4])
    #expect(calls.deepest == 1)
  }

  @Test func aChangeOfAHandlerIsDeliveredInsideIfNoneWaits() {
    let calls = calls
    screen.observe(order, \.items) { _, order, change in
      calls.call(change.newValue) {
        guard change.newValue == 1 else { return }
        order.items = 2
        #expect(calls.values.last == 2)
      }
    }
    order.items = 1
    order.order([0])
    order.items = 1
    #expect(calls.values == [1, 2, 0, 1, 2])
  }

  @Test func theActorNestsEndsAndBeginsWhileAThreadGoesOn() async {
    let (calls, order, screen) = (calls, order, screen)
    func observe() {
      screen.observe(order, \.total, options: [.initial, .new]) { _, order, change in
        calls.call(change.newValue) { if order.fee < 500 { order.fee += 1 } }
      }
    }
    screen.bind(order, \.items, to: \.number)
    observe()
    let count = isSanitized ? 20_000 : 100_000
    let isDone = Locked(false)
    Thread.detachNewThread {
      for items in 1...count { order.items = items }
      isDone.withLock { $0 = true }
    }
    while !isDone.current {
      order.fee += 1
      screen.unobserve(order, \.total)
      order.fee += 1
      observe()
      await Task.yield()
    }
    let total = order.total
    while calls.values.last != total || screen.number != count { await Task.yield() }
    #expect(calls.deepest <= 502)
    #expect(screen.numbers == screen.numbers.sorted())
  }

  // MARK: What isn't the handler's own

  @TaskLocal private static var local = 0

  @Test func aHandlerSeesNoTaskLocalValuesOfAnotherTask() async {
    let calls = calls
    screen.observe(order, \.items) { _, _, _ in calls.call(Self.local) }
    let order = order
    await Self.$local.withValue(1) {
      await Task { @concurrent in order.items = 1 }.value
    }
    while calls.values.isEmpty { await Task.yield() }
    #expect(calls.values == [0])
  }

  @Test func aHandlerHasThePriorityOfTheChangingTaskOrAHigherOne() async {
    let listener = DefaultListener()
    let (order, priorities) = (order, Locked<[TaskPriority]>([]))
    await listener.run { listener in
      _ = listener.state.controller.observe(order, \.items) { _, _ in
        priorities.append(Task.currentPriority)
      }
    }
    await Task.detached(priority: .low) { order.items = 1 }.value
    await Task.detached(priority: .high) { order.items = 2 }.value
    while priorities.current.count < 2 { await Task.yield() }
    #expect(priorities.current.last.map { $0 >= .high } == true)
    await listener.run { $0.state.controller.unobserveAll() }
  }

  @Test func aBindingGetsTheCollectionAsItWasWithEachChange() async {
    let (order, screen) = (order, screen)
    screen.bind(order, \.numbers, to: \.text)
    onThreads(1) { _ in
      let numbers = order.mutableArrayValue(forKey: "numbers")
      numbers.add(1)
      numbers.add(2)
      order.numbers = []
    }
    while screen.texts.count < 3 { await Task.yield() }
    #expect(screen.texts == [[1], [1, 2], []])
  }

  // MARK: Changes in a deinit

  /// A model that changes when it is deallocated.
  private final class Mayfly: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0

    deinit { number = 7 }
  }

  /// Calls `observe` with a model that another thread then deallocates.
  private func deallocate(_ observe: (Mayfly) -> Void) {
    let mayfly = Locked<Mayfly?>(Mayfly())
    mayfly.withLock { observe($0!) }
    onThreads(1) { _ in _ = mayfly.take() }
  }

  @Test func aBindingGetsWhatAnObjectSetsInItsDeinit() async {
    screen.kvoController = KVOController(observer: screen, retainObserved: false)
    deallocate { screen.bind($0, \.number, to: \.number) }
    while screen.number != 7 { await Task.yield() }
    #expect(screen.numbers == [7])
  }

  @Test func anActionGetsWhatAnObjectSetsInItsDeinit() async {
    let recorder = Recorder()
    let controller = KVOController(observer: recorder, retainObserved: false)
    deallocate { controller.observe($0, keyPath: "number", options: .new, action: Recorder.update(change:)) }
    while recorder.count == 0 { await Task.yield() }
    #expect(recorder.count == 1)
  }

  @Test func aBindingThatHasEndedGetsNothingThatAnObjectSetInItsDeinit() async {
    screen.kvoController = KVOController(observer: screen, retainObserved: false)
    var tokens: [KVOObservation] = []
    deallocate { tokens.append(screen.bind($0, \.number, to: \.number)) }
    tokens[0].invalidate()
    deallocate { screen.bind($0, \.number, to: \.number) }
    screen.kvoController.unobserveAll()
    for _ in 0..<100 { await Task.yield() }
    #expect(screen.numbers == [])
  }

  @Test func anObjectInItsDeinitIsNotRetainedByWhatWaitsForASequence() async {
    let recorder = Recorder()
    for _ in 0..<(isSanitized ? 200 : 2000) {
      // Controllers can be used on any thread.
      nonisolated(unsafe) let controller = KVOController(observer: recorder, retainObserved: false)
      let mayfly = Locked<Mayfly?>(Mayfly())
      let values = mayfly.withLock { controller.values(of: $0!, \.number) }
      onThreads(3) { thread in
        switch thread {
        case 0: _ = mayfly.take()
        case 1: mayfly.current?.number = 1
        default: controller.unobserveAll()
        }
      }
      for await value in values { #expect(value == 0 || value == 1 || value == 7) }
    }
  }
}
