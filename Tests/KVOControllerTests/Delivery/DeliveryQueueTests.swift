import KVOController
import Testing

/// The protocol by which changes wait for an actor, without threads.
@Suite struct DeliveryQueueTests {
  private typealias Queue = DeliveryQueue<String>

  private static func name(_ step: Queue.Step) -> String {
    switch step {
    case .readAgain: "read again"
    case .leave: "leave"
    case .schedule: "schedule"
    case .call: "call"
    case .deliver: "deliver"
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
      perform(queue.append(element, queue.ticket, priority))
    }

    /// Makes a change on the actor.
    func set(_ element: String) {
      switch queue.arrive(isInCall: isInCall) {
      case .call:
        handle(element)
        perform(queue.didCall())
      case .readAgain(let ticket): perform(queue.insert(element, ticket, .medium))
      case let step: Issue.record("unexpected step: \(name(step))")
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
      perform(queue.beginTurn())
    }

    private func perform(_ step: Queue.Step) {
      switch step {
      case .schedule(let priority): scheduled.append(priority)
      case .deliver:
        while true {
          let (element, step) = queue.next()
          guard let element else { return perform(step) }
          handle(element)
        }
      case .leave: break
      case .call, .readAgain: Issue.record("unexpected step: \(name(step))")
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

  @Test func aValueIsReadAgainIfAnotherOneWasAppendedMeanwhile() throws {
    var queue = Queue()
    let ticket = queue.ticket
    #expect(Self.name(queue.append("newer", ticket, .medium)) == "schedule")
    guard case .readAgain(let next) = queue.append("older", ticket, .medium) else {
      Issue.record("An older value was accepted.")
      return
    }
    #expect(Self.name(queue.append("read again", next, .medium)) == "leave")
  }

  @Test func aValueIsReadAgainIfTheActorHasHandledAnotherOneMeanwhile() {
    var queue = Queue()
    let ticket = queue.ticket
    #expect(Self.name(queue.arrive(isInCall: false)) == "call")
    #expect(Self.name(queue.append("older", ticket, .medium)) == "read again")
  }

  @Test func aValueOfTheActorIsReadAgainIfAnotherOneWasAppendedMeanwhile() {
    var queue = Queue()
    _ = queue.append("a", queue.ticket, .medium)
    guard case .readAgain(let ticket) = queue.arrive(isInCall: false) else {
      Issue.record("A change was to be delivered before those that wait.")
      return
    }
    _ = queue.append("b", queue.ticket, .medium)
    #expect(Self.name(queue.insert("c", ticket, .medium)) == "read again")
    #expect(Self.name(queue.insert("c", queue.ticket, .medium)) == "deliver")
  }

  @Test func whatWasTakenIsReleasedAtOnce() {
    final class Resident {}
    var queue = DeliveryQueue<Resident>()
    weak var first: Resident?
    do {
      let made = Resident()
      first = made
      for resident in [made] + (0..<200).map({ _ in Resident() }) {
        _ = queue.append(resident, queue.ticket, .medium)
      }
    }
    _ = queue.beginTurn()
    #expect(first != nil)
    _ = queue.next()
    #expect(first == nil)
  }
}
