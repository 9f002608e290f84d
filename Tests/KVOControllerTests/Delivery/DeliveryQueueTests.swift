import KVOController
import Testing

/// The protocol by which changes wait for an actor, without threads.
@Suite struct DeliveryQueueTests {
  private typealias Queue = DeliveryQueue<String>

  private static let observation = ObjectIdentifier(DeliveryQueueTests.self)
  private static let other = ObjectIdentifier(Stub.self)

  private static func name(_ action: Queue.Action?) -> String {
    switch action {
    case .schedule: "schedule"
    case .deliver: "deliver"
    case nil: "nothing"
    }
  }

  /// An actor that calls handlers one inside of the other, and the threads that make changes meanwhile.
  private final class Stub {
    var queue = Queue()
    /// What a handler does with a change.
    var handler: (Stub, String) -> Void = { _, _ in }
    var delivered: [String] = []
    var scheduled: [TaskPriority] = []
    var depth = 0
    var deepest = 0
    /// Whether handlers are called that the queue doesn't know of, because it was made after they were.
    var isInCall = false

    /// Appends a change on another thread.
    func append(_ element: String, _ priority: TaskPriority = .medium) {
      let ticket = queue.offer(element, of: DeliveryQueueTests.observation, priority)
      accept(ticket, isOnActor: false)
    }

    /// Makes a change on the actor.
    func set(_ element: String) {
      if queue.arrive(of: DeliveryQueueTests.observation, isInCall: isInCall) {
        handle(element)
        perform(queue.didCall())
      } else {
        let ticket = queue.offer(element, of: DeliveryQueueTests.observation, .medium)
        accept(ticket, isOnActor: true)
      }
    }

    /// Makes a change on the actor before there is a queue.
    func setWithoutQueue(_ element: String) {
      isInCall = true
      handle(element)
      isInCall = false
      perform(queue.didCall())
    }

    /// Takes one of the turns that were scheduled.
    func takeTurn() {
      scheduled.removeFirst()
      if queue.beginTurn() { deliver() }
    }

    private func accept(_ ticket: Queue.Ticket, isOnActor: Bool) {
      guard case .appended(let action) = queue.accept(ticket, isOnActor: isOnActor, { _ in }) else {
        Issue.record("The value is to be read again.")
        return
      }
      perform(action)
    }

    private func perform(_ action: Queue.Action?) {
      switch action {
      case .schedule(let priority): scheduled.append(priority)
      case .deliver: deliver()
      case nil: break
      }
    }

    private func deliver() {
      while true {
        switch queue.next() {
        case .deliver(let element): handle(element)
        case .end(let priority):
          if let priority { scheduled.append(priority) }
          return
        }
      }
    }

    private func handle(_ element: String) {
      depth += 1
      deepest = max(deepest, depth)
      delivered.append(element)
      handler(self, element)
      depth -= 1
    }
  }

  private let actor = Stub()

  @Test func changesComeInTheOrderInWhichTheyWereAppended() {
    var expected: [String] = []
    for round in 0..<10 {
      for number in 0..<(40 * round) {
        actor.append("\(round).\(number)")
        expected.append("\(round).\(number)")
      }
      while !actor.scheduled.isEmpty { actor.takeTurn() }
    }
    #expect(actor.delivered == expected)
  }

  @Test func onlyTheFirstChangeSchedulesATurn() {
    for number in 0..<10 { actor.append("\(number)") }
    #expect(actor.scheduled.count == 1)
  }

  @Test func aChangeOfHigherPrioritySchedulesAnotherTurn() {
    actor.append("a", .low)
    actor.append("b", .low)
    actor.append("c", .high)
    actor.append("d", .medium)
    #expect(actor.scheduled == [.low, .high])
    actor.takeTurn()
    actor.takeTurn()
    #expect(actor.delivered == ["a", "b", "c", "d"])
  }

  @Test func aTurnDeliversWhatWaitedWhenItBegan() {
    actor.append("a")
    actor.append("b")
    actor.handler = { $0.append("after \($1)") }
    actor.takeTurn()
    #expect(actor.delivered == ["a", "b"])
    #expect(actor.scheduled.count == 1)
    actor.handler = { _, _ in }
    actor.takeTurn()
    #expect(actor.delivered == ["a", "b", "after a", "after b"])
    #expect(actor.scheduled.isEmpty)
  }

  @Test func aTurnWithNothingLeftDoesNothing() {
    actor.append("a")
    actor.set("b")
    actor.takeTurn()
    #expect(actor.delivered == ["a", "b"])
    actor.append("c")
    #expect(actor.scheduled.count == 1)
  }

  @Test func aChangeOnTheActorIsDeliveredAtOnceIfNoneWaits() {
    actor.set("a")
    #expect(actor.delivered == ["a"])
    #expect(actor.scheduled.isEmpty)
  }

  @Test func aChangeOnTheActorComesAfterThoseThatWaitAndBeforeThoseThatComeMeanwhile() {
    actor.append("a")
    actor.append("b")
    actor.handler = { if $1 != "c" { $0.append("after \($1)") } }
    actor.set("c")
    #expect(actor.delivered == ["a", "b", "c"])
    actor.handler = { _, _ in }
    while !actor.scheduled.isEmpty { actor.takeTurn() }
    #expect(actor.delivered == ["a", "b", "c", "after a", "after b"])
  }

  @Test func aChangeOfAHandlerWaitsBehindThoseThatWait() {
    for number in 0..<1000 { actor.append("\(number)") }
    actor.handler = { if !$1.hasSuffix("'") { $0.set($1 + "'") } }
    actor.set("1000")
    #expect(actor.delivered == (0...1000).map { "\($0)" } + (0...1000).map { "\($0)'" })
    #expect(actor.deepest <= 2)
  }

  @Test func aChangeOfAHandlerIsDeliveredInsideIfNoneWaits() {
    actor.handler = { actor, element in
      if element == "a" {
        actor.set("b")
        #expect(actor.delivered == ["a", "b"])
      }
    }
    actor.set("a")
    actor.append("a")
    actor.delivered = []
    actor.takeTurn()
    #expect(actor.delivered == ["a", "b"])
  }

  @Test(arguments: [true, false]) func aHandlerIsNotCalledInsideForWhatHasComeDuringASingleChange(hasQueue: Bool) {
    actor.handler = { actor, element in
      guard element == "a" else { return }
      actor.append("b")
      actor.append("c")
      actor.set("d")
      #expect(actor.delivered == ["a"])
    }
    if hasQueue { actor.set("a") } else { actor.setWithoutQueue("a") }
    #expect(actor.delivered == ["a", "b", "c", "d"])
    #expect(actor.deepest == 1)
  }

  @Test func aHandlerThatAnswersEachChangeDoesNotKeepTheActor() {
    for number in 0..<10 { actor.append("\(number)") }
    // Another thread goes on for ever.
    actor.handler = { actor, element in
      actor.append("other")
      if !element.hasSuffix("'") { actor.set(element + "'") }
    }
    actor.set("10")
    #expect(actor.delivered == (0...10).map { "\($0)" })
    #expect(actor.scheduled.count == 1)
    for _ in 0..<10 { actor.takeTurn() }
    #expect(actor.deepest <= 2)
    #expect(actor.scheduled.count == 1)
  }

  @Test func nothingIsLeftBehindByASingleChangeWhoseHandlerHasAppended() {
    actor.handler = { if $1 == "a" { $0.append("b") } }
    actor.setWithoutQueue("a")
    #expect(actor.delivered == ["a"])
    while !actor.scheduled.isEmpty { actor.takeTurn() }
    #expect(actor.delivered == ["a", "b"])
  }

  @Test func aTurnDuringADeliveryIsTakenAfterwards() {
    actor.append("a")
    actor.handler = { actor, element in
      if element == "a" {
        actor.append("b", .high)
        // As on a concurrent queue, or in a run loop inside of a handler.
        _ = actor.queue.beginTurn()
        #expect(actor.delivered == ["a"])
      }
    }
    actor.takeTurn()
    while !actor.scheduled.isEmpty { actor.takeTurn() }
    #expect(actor.delivered == ["a", "b"])
  }

  // MARK: Values

  /// A thread that makes a change, reads its value, and appends it.
  private func offer(_ element: String, to queue: inout Queue, of observation: ObjectIdentifier? = nil) -> Queue.Ticket
  {
    queue.offer(element, of: observation ?? Self.observation, .medium)
  }

  private func accept(
    _ ticket: Queue.Ticket, _ value: String = "", in queue: inout Queue, isOnActor: Bool = false
  ) -> String {
    switch queue.accept(ticket, isOnActor: isOnActor, { $0 += value }) {
    case .readAgain: "read again"
    case .appended(let action): Self.name(action)
    }
  }

  /// What the delivery under way goes on with; nil at its end.
  private func next<Element>(_ queue: inout DeliveryQueue<Element>) -> Element? {
    if case .deliver(let element) = queue.next() { element } else { nil }
  }

  /// Everything that waits, as a turn takes it.
  private func takeAll(_ queue: inout Queue) -> [String] {
    var all: [String] = []
    while queue.beginTurn() {
      while let element = next(&queue) { all.append(element) }
    }
    return all
  }

  @Test func aValueIsReadAgainIfAnotherOneWasAppendedMeanwhile() {
    var queue = Queue()
    let first = offer("a", to: &queue)
    let second = offer("b", to: &queue)
    #expect(accept(first, in: &queue) == "schedule")
    #expect(accept(second, in: &queue) == "read again")
    #expect(accept(second, in: &queue) == "nothing")
    #expect(takeAll(&queue) == ["a", "b"])
  }

  @Test func aValueIsSharedByTheChangesThatCameBeforeItWasRead() {
    var queue = Queue()
    let first = offer("a", to: &queue)
    let second = offer("b", to: &queue)
    #expect(accept(second, "2", in: &queue) == "schedule")
    #expect(accept(first, "1", in: &queue) == "nothing")
    #expect(takeAll(&queue) == ["a2", "b2"])
  }

  @Test func aValueIsReadAtMostTwiceWhateverOrderThreadsComeIn() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var queue = Queue()
      var reads: [Queue.Ticket: Int] = [:]
      var (reading, appended) = ([Queue.Ticket](), 0)
      for _ in 0..<500 {
        if reading.count < 8, Bool.random(using: &random) {
          let ticket = offer("", to: &queue)
          (reads[ticket], appended) = (1, appended + 1)
          reading.append(ticket)
        } else if let index = reading.indices.randomElement(using: &random) {
          if accept(reading[index], in: &queue, isOnActor: false) == "read again" {
            reads[reading[index], default: 0] += 1
          } else {
            reading.remove(at: index)
          }
        }
      }
      for ticket in reading { while accept(ticket, in: &queue) == "read again" { reads[ticket, default: 0] += 1 } }
      #expect(reads.values.max() == 2)
      #expect(takeAll(&queue).count == appended)
    }
  }

  @Test func aChangeOfTheActorComesAfterOneThatIsBeingRead() {
    var queue = Queue()
    let other = offer("a", to: &queue)
    let isAtOnce = queue.arrive(of: Self.observation, isInCall: false)
    #expect(!isAtOnce)
    let own = offer("b", to: &queue)
    #expect(accept(own, "2", in: &queue, isOnActor: true) == "deliver")
    #expect(next(&queue) == "a2")
    #expect(next(&queue) == "b2")
    #expect(next(&queue) == nil)
    #expect(accept(other, "1", in: &queue) == "nothing")
  }

  @Test func aChangeOfTheActorThatAnotherThreadHasTakenAlongIsDeliveredAtOnce() {
    var queue = Queue()
    _ = offer("a", to: &queue)
    let own = offer("b", to: &queue)
    let other = offer("c", to: &queue)
    #expect(accept(other, in: &queue) == "schedule")
    #expect(accept(own, in: &queue, isOnActor: true) == "deliver")
    #expect((0..<4).map { _ in next(&queue) } == ["a", "b", "c", nil])
  }

  @Test func aChangeThatCameAfterThatOfTheActorWaitsForAnotherTurn() {
    var queue = Queue()
    let first = offer("a", to: &queue)
    let own = offer("b", to: &queue)
    #expect(accept(first, in: &queue) == "schedule")
    #expect(accept(own, in: &queue, isOnActor: true) == "read again")
    _ = offer("c", to: &queue)
    #expect(accept(own, in: &queue, isOnActor: true) == "deliver")
    #expect((0..<3).map { _ in next(&queue) } == ["a", "b", nil])
  }

  @Test func aChangeIsNotTakenAlongByAnotherObservation() {
    var queue = Queue()
    let first = offer("a", to: &queue)
    let other = offer("b", to: &queue, of: Self.other)
    #expect(accept(other, in: &queue) == "schedule")
    let isAtOnce = queue.arrive(of: Self.other, isInCall: false)
    #expect(!isAtOnce)
    #expect(accept(first, in: &queue) == "nothing")
    #expect(takeAll(&queue) == ["b", "a"])
  }

  @Test func aChangeThatIsWithdrawnIsNotDelivered() {
    var queue = Queue()
    let first = offer("a", to: &queue)
    #expect(queue.withdraw(first) == "a")
    #expect(queue.withdraw(first) == nil)
    let isAtOnce = queue.arrive(of: Self.observation, isInCall: false)
    #expect(isAtOnce)
  }

  @Test func aChangeWithoutAValueMakesValuesThatAreBeingReadOutdated() {
    var queue = Queue()
    let first = offer("a", to: &queue)
    let step = queue.append("inserted", of: Self.observation, isOnActor: false, .medium)
    #expect(Self.name(step) == "schedule")
    #expect(accept(first, in: &queue) == "read again")
    #expect(accept(first, in: &queue) == "nothing")
    #expect(takeAll(&queue) == ["inserted", "a"])
  }

  @Test func anInitialValueIsOvertakenByAChangeThatWasReadLater() {
    var queue = Queue()
    let initial = queue.offer("initial", of: Self.observation, .medium, isInitial: true)
    let first = offer("a", to: &queue)
    #expect(accept(first, in: &queue) == "schedule")
    #expect(accept(initial, in: &queue) == "nothing")
    #expect(takeAll(&queue) == ["a"])
  }

  @Test func anInitialValueThatTakesChangesAlongIsNotNeeded() {
    var queue = Queue()
    _ = offer("a", to: &queue)
    let initial = queue.offer("initial", of: Self.observation, .medium, isInitial: true)
    _ = offer("b", to: &queue)
    #expect(accept(initial, in: &queue) == "schedule")
    #expect(takeAll(&queue) == ["a"])
  }

  @Test func anInitialValueIsReadAgainAfterAChangeThatWasReadEarlier() {
    var queue = Queue()
    let first = offer("a", to: &queue)
    let initial = queue.offer("initial", of: Self.observation, .medium, isInitial: true)
    #expect(accept(first, in: &queue) == "schedule")
    #expect(accept(initial, in: &queue) == "read again")
    #expect(accept(initial, in: &queue) == "nothing")
    #expect(takeAll(&queue) == ["a", "initial"])
  }

  @Test func aTurnHasThePriorityOfAChangeThatWasTakenAlong() {
    var queue = Queue()
    _ = queue.offer("a", of: Self.observation, .high)
    let other = queue.offer("b", of: Self.observation, .low)
    guard case .appended(.schedule(let priority)) = queue.accept(other, isOnActor: false, { _ in }) else {
      Issue.record("No turn was scheduled.")
      return
    }
    #expect(priority == .high)
  }

  @Test func aTurnThatWasNotScheduledLeavesTheScheduledOne() {
    var queue = DeliveryQueue<Int>()
    func append() -> DeliveryQueue<Int>.Action? {
      queue.append(1, of: Self.observation, isOnActor: false, .medium)
    }
    guard case .schedule = append() else { Issue.record("No turn is scheduled."); return }
    for _ in 0..<3 {
      let hasBegun = queue.beginTurn(isScheduled: false)
      #expect(hasBegun)
      while case .deliver = queue.next() {}
      #expect(append() == nil)
    }
    let hasBegun = queue.beginTurn()
    #expect(hasBegun)
    while case .deliver = queue.next() {}
    guard case .schedule = append() else { Issue.record("No turn is scheduled."); return }
  }

  @Test func whatWasTakenIsReleasedAtOnce() {
    final class Resident {}
    var queue = DeliveryQueue<Resident>()
    weak var first: Resident?
    do {
      let made = Resident()
      first = made
      for resident in [made] + (0..<200).map({ _ in Resident() }) {
        _ = queue.append(resident, of: Self.observation, isOnActor: false, .medium)
      }
    }
    _ = queue.beginTurn()
    #expect(first != nil)
    _ = next(&queue)
    #expect(first == nil)
  }
}
