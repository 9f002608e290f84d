#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// The property of an object that was observed first is set in another way than the others, without a visible difference.
@Suite(.watched) struct SeveralPropertiesTests {
  private final class Record: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0
    @Observed var text = ""
    @Observed var child: Record?

    func set(_ key: String, to number: Int) {
      switch key {
      case "number": self.number = number
      case "text": text = "the text of number \(number)"
      default: child = Record()
      }
    }
  }

  private static let orders = [
    ["number", "text", "child"], ["number", "child", "text"], ["text", "number", "child"], ["text", "child", "number"],
    ["child", "number", "text"], ["child", "text", "number"],
  ]

  @Test(arguments: orders) func eachIsObservedWhicheverWasObservedBefore(keys: [String]) {
    let record = Record()
    for _ in 1...2 {
      for key in keys {
        let recorder = Recorder()
        recorder.observe(record, key)
        for other in keys { record.set(other, to: 1) }
        #expect(recorder.calls.map(\.keyPath) == [key])
        recorder.unobserve(record, key)
        for other in keys { record.set(other, to: 2) }
        #expect(recorder.calls.count == 1)
      }
    }
  }

  @Test(arguments: orders) func eachIsObservedWhicheverIsNoLonger(keys: [String]) {
    let (record, recorder) = (Record(), Recorder())
    for key in keys { recorder.observe(record, key) }
    for (index, key) in keys.enumerated() {
      for other in keys { record.set(other, to: index) }
      #expect(recorder.calls.map(\.keyPath) == Array(keys[index...]))
      _ = recorder.take()
      recorder.unobserve(record, key)
    }
    for key in keys.reversed() { recorder.observe(record, key) }
    for key in keys { record.set(key, to: 9) }
    #expect(recorder.calls.map(\.keyPath) == keys)
    for key in keys { recorder.unobserve(record, key) }
    #expect(record.observationInfo == nil)
  }

  @Test(arguments: orders) func priorCallsComeAndGo(keys: [String]) {
    let (record, recorder, prior) = (Record(), Recorder(), Recorder())
    for key in keys { recorder.observe(record, key) }
    for key in keys {
      prior.observe(record, key, .prior)
      record.set(key, to: 1)
      prior.unobserve(record, key)
      record.set(key, to: 2)
    }
    #expect(prior.calls.map(\.isPrior) == [true, false, true, false, true, false])
    #expect(recorder.calls.count == 6)
    for key in keys { recorder.unobserve(record, key) }
  }

  @Test(arguments: orders) func anObserverMayEndAndBeginObservationsOfAll(keys: [String]) {
    let (record, recorder, other) = (Record(), Recorder(), Recorder())
    for key in keys { recorder.observe(record, key) }
    recorder.whenCalled = { recorder, call in
      guard let key = call.keyPath else { return }
      recorder.unobserve(record, key)
      other.observe(record, key)
      recorder.observe(record, key)
    }
    for number in 1...3 {
      for key in keys { record.set(key, to: number) }
    }
    #expect(recorder.calls.map(\.keyPath) == keys + keys + keys)
    // One more of its registrations each time.
    #expect(other.calls.count == 3 * (0 + 1 + 2))
    for key in keys {
      recorder.unobserve(record, key)
      for _ in 1...3 { other.unobserve(record, key) }
    }
    #expect(record.observationInfo == nil)
  }

  /// Each property is set by one thread, while others observe both, and read them.
  @Test(arguments: [["number", "text"], ["text", "number"]]) func theyAreSetAndReadOnThreads(keys: [String]) {
    let (record, counter) = (Record(), Counter())
    for (index, key) in keys.enumerated() { counter.observe(record, key, context: index) }
    let rounds = isSanitized ? 500 : 5_000
    onThreads(4) { thread in
      for round in 1...rounds {
        if thread < 2 {
          record.set(keys[thread], to: round)
        } else {
          let (index, key) = (round % 2, keys[round % 2])
          counter.observe(record, key, context: thread * 2 + index)
          let value = record.value(forKey: key)
          #expect(value is Int || (value as? String).map { $0.isEmpty || $0.hasPrefix("the text of number ") } == true)
          counter.unobserve(record, key, context: thread * 2 + index)
        }
      }
    }
    #expect((0..<2).map { counter[$0] } == [rounds, rounds])
    #expect(record.number == rounds && record.text == "the text of number \(rounds)")
    for (index, key) in keys.enumerated() { counter.unobserve(record, key, context: index) }
    #expect(record.observationInfo == nil)
  }

  /// No registration prevents the others from being notified of what is set at the same time.
  @Test(arguments: [["number", "text"], ["text", "number"]]) func theirFirstObserverComesAndGoes(keys: [String]) {
    let (record, counter) = (Record(), Counter())
    let rounds = isSanitized ? 500 : 5_000
    onThreads(2) { thread in
      let key = keys[thread]
      for round in 1...rounds {
        counter.observe(record, key, context: thread)
        record.set(key, to: round)
        counter.unobserve(record, key, context: thread)
        record.set(key, to: -round)
      }
    }
    #expect((0..<2).map { counter[$0] } == [rounds, rounds])
    #expect(record.observationInfo == nil)
  }

  /// A value that takes long to store.
  private struct Page {
    private var lines: InlineArray<512, Int>

    init(_ number: Int) { lines = InlineArray(repeating: number) }

    var isWhole: Bool { lines.indices.allSatisfy { lines[$0] == lines[0] } }
  }

  private final class Book: KeyValueObject, @unchecked Sendable {
    @Observed var page = Page(0)
    @Observed var child: Record?
  }

  @Test func noneIsReadWhenItIsHalfStored() {
    let book = Book()
    let halves = Locked(0)
    let rounds = isSanitized ? 300 : 3_000
    let observation = book.observe(\.page) { _, _ in }
    onThreads(3) { thread in
      for round in 1...rounds {
        guard thread > 0 else {
          book.page = Page(round)
          continue
        }
        let observation = book.observe(\.page, options: [.initial, .new]) { _, change in
          if change.newValue?.isWhole == false { halves.add() }
        }
        observation.invalidate()
        if (book.value(forKey: "page") as? Page)?.isWhole != true { halves.add() }
      }
    }
    observation.invalidate()
    #expect(halves.current == 0)
    #expect(book.observationInfo == nil)
  }

  /// Whether it is in the list of the observers when the property is set, or reads the new value then.
  @Test(arguments: [["child"], ["page", "child"]]) func newRegistrationReceivesTheLatestValue(keys: [String]) {
    let (book, recorder) = (Book(), Recorder())
    for key in keys.dropLast() { recorder.observe(book, key) }
    recorder.observe(book, "child.number")
    for round in 1...(isSanitized ? 200 : 2_000) {
      let child = Record()
      child.number = round
      let received = Locked(0)
      let observations = Locked<[NSKeyValueObservation]>([])
      onThreads(2) { thread in
        if thread == 0 {
          book.child = child
        } else {
          let observation = book.observe(\.child, options: [.initial, .new]) { _, change in
            if let number = change.newValue??.number { received.withLock { $0 = max($0, number) } }
          }
          observations.append(observation)
        }
      }
      #expect(received.current == round)
      for observation in observations.current { observation.invalidate() }
    }
    recorder.unobserve(book, "child.number")
    for key in keys.dropLast() { recorder.unobserve(book, key) }
    #expect(book.observationInfo == nil)
  }
}
#endif
