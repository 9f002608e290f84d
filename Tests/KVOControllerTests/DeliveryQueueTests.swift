import KVOController
import Testing

/// The queue of changes that wait for an actor.
@Suite struct DeliveryQueueTests {
  @Test func elementsComeOutInTheOrderInWhichTheyWereAppended() {
    var queue = DeliveryQueue<Int>()
    var taken: [Int] = []
    for number in 0..<100 {
      _ = queue.append(number)
      if number.isMultiple(of: 3), let first = queue.popFirst() { taken.append(first) }
    }
    #expect(queue.count == 100 - taken.count)
    while let first = queue.popFirst() { taken.append(first) }
    #expect(taken == Array(0..<100))
    #expect(queue.count == 0)
  }

  @Test func onlyTheFirstElementStartsATask() {
    var queue = DeliveryQueue<String>()
    var starts = [queue.append("a"), queue.append("b")]
    _ = queue.popFirst()
    starts.append(queue.append("c"))
    #expect(starts == [true, false, false])
  }

  @Test func aTaskGoesOnWhileElementsWait() {
    var queue = DeliveryQueue<String>()
    _ = queue.append("a")
    var goesOn = [queue.mustGoOn()]
    _ = (queue.popFirst(), queue.append("b"))
    goesOn.append(queue.mustGoOn())
    _ = queue.popFirst()
    goesOn.append(queue.mustGoOn())
    #expect(goesOn == [true, true, false])
  }

  @Test func anElementAfterTheTaskHasEndedStartsAnother() {
    var queue = DeliveryQueue<String>()
    _ = (queue.append("a"), queue.popFirst())
    let startsBeforeTheEnd = queue.append("b")
    _ = queue.popFirst()
    let goesOn = queue.mustGoOn()
    let startsAfterTheEnd = queue.append("c")
    #expect(!startsBeforeTheEnd && !goesOn && startsAfterTheEnd)
  }
}
