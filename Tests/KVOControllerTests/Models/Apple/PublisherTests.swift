#if canImport(ObjectiveC) && canImport(Combine)
import Combine
import KVOController
import Testing
import _KVOTestSupport

/// What the publisher of a key path does.
@Suite(.watched) struct PublisherTests {
  /// What has been received, and what that does.
  private final class Receiver: Combine.Subscriber {
    typealias Input = Int
    typealias Failure = Never

    private(set) var values: [Int] = []
    private(set) var subscription: (any Subscription)?
    var whenReceiving: () -> Subscribers.Demand = { .none }

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ value: Int) -> Subscribers.Demand {
      values.append(value)
      return whenReceiving()
    }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private let node = Node()
  private let receiver = Receiver()

  private func subscribe(_ options: NSKeyValueObservingOptions = [.initial, .new]) {
    node.publisher(for: \.number, options: options).subscribe(receiver)
  }

  @Test func theValueIsSentAtOnceAndAfterEachChange() {
    subscribe()
    receiver.subscription?.request(.unlimited)
    node.number = 1
    node.number += 1
    node.setValue(3, forKey: "number")
    #expect(receiver.values == [0, 1, 2, 3])
    receiver.subscription?.cancel()
  }

  @Test func withoutTheOptionTheFirstValueIsThatOfAChange() {
    subscribe([])
    receiver.subscription?.request(.max(1))
    #expect(receiver.values == [])
    node.number = 1
    #expect(receiver.values == [1])
    receiver.subscription?.cancel()
  }

  @Test func withPriorTheValueBeforeEachChangeIsSentToo() {
    subscribe(.prior)
    receiver.subscription?.request(.unlimited)
    node.number = 1
    node.number = 2
    #expect(receiver.values == [0, 1, 1, 2])
    receiver.subscription?.cancel()
  }

  @Test func pathsAreFollowedAndNilIsAValue() {
    var values: [Int?] = []
    let subscription = node.publisher(for: \.child?.number).sink { values.append($0) }
    node.child = Node("child", number: 1)
    node.child?.number = 2
    node.child = nil
    #expect(values == [nil, 1, 2, nil])
    subscription.cancel()
  }

  @Test func noMoreIsSentThanDemandedAndThenTheLatest() {
    subscribe()
    node.number = 1
    #expect(receiver.values == [])
    receiver.subscription?.request(.max(2))
    #expect(receiver.values == [1])
    for number in 2...4 { node.number = number }
    #expect(receiver.values == [1, 2])
    receiver.subscription?.request(.max(1))
    #expect(receiver.values == [1, 2, 4])
    receiver.subscription?.request(.max(1))
    #expect(receiver.values == [1, 2, 4])
    receiver.subscription?.cancel()
  }

  @Test func aReceivedValueMayChangeTheProperty() {
    receiver.whenReceiving = { [node] in
      if node.number < 3 { node.number += 1 }
      return .none
    }
    subscribe([])
    receiver.subscription?.request(.unlimited)
    node.number = 1
    #expect(receiver.values == [1, 2, 3])
    receiver.subscription?.cancel()
    receiver.whenReceiving = { .none }
  }

  @Test func aReceivedValueMayCancel() {
    let first = node.publisher(for: \.number).first().sink { [receiver] in _ = receiver.receive($0) }
    node.number = 1
    #expect(receiver.values == [0])
    #expect(node.registrationCount == 0)
    first.cancel()
  }

  @Test func theObjectIsRetainedUntilCancellation() {
    weak var life: Node?
    var subscription: AnyCancellable?
    do {
      let node = Node()
      life = node
      subscription = node.publisher(for: \.number).sink { _ in }
    }
    #expect(life != nil)
    subscription?.cancel()
    subscription = nil
    #expect(life == nil)
  }

  @Test func valuesAreReceivedOneAtATimeAndInOrder() {
    for _ in 0..<(isSanitized ? 20 : 100) {
      let meter = Meter()
      let (receiving, overlaps, values) = (Locked(0), Locked(0), Locked<[Int]>([]))
      let subscription = meter.publisher(for: \.count, options: []).sink { value in
        receiving.add()
        if receiving.current != 1 { overlaps.add() }
        values.append(value)
        receiving.add(-1)
      }
      onThreads(2) { _ in for _ in 0..<10 { meter.advance() } }
      #expect(overlaps.current == 0)
      #expect(values.current == values.current.sorted())
      #expect(values.current.last == 20)
      subscription.cancel()
    }
  }

  private final class Meter: KeyValueObject, @unchecked Sendable {
    let storage = Locked(0)
    var count: Int { storage.current }
    override class var keyPaths: [String: AnyKeyPath] { ["count": \Meter.count] }

    func advance() {
      willChangeValue(forKey: "count")
      storage.add()
      didChangeValue(forKey: "count")
    }
  }
}
#endif
