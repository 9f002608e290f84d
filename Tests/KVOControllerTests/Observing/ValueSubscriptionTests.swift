import KVOController
import Testing
import _KVOTestSupport

/// What the publisher of a key path does, on every platform, without Combine.
@Suite(.watched) struct ValueSubscriptionTests {
  /// What has been received, and what that does.
  private final class Subscriber {
    var values: [Int] = []
    /// How many more values each one demands.
    var demand: Int? = 0
    var whenReceiving: () -> Void = {}

    func receive(_ value: Int) -> Int? {
      values.append(value)
      whenReceiving()
      return demand
    }
  }

  private let node = Node()
  private let subscriber = Subscriber()

  private func subscribe() -> ValueSubscription<Node, Int> {
    ValueSubscription(node, \.number) { [subscriber] in subscriber.receive($0) }
  }

  @Test func theValueIsSentAtOnceAndAfterEachChange() {
    let subscription = subscribe()
    subscription.request(nil)
    subscription.begin(.initial)
    node.number = 1
    node.number += 1
    node.setValue(3, forKey: "number")
    #expect(subscriber.values == [0, 1, 2, 3])
    subscription.cancel()
  }

  @Test func withoutTheOptionTheFirstValueIsThatOfAChange() {
    let subscription = subscribe()
    subscription.request(nil)
    subscription.begin([])
    #expect(subscriber.values == [])
    node.number = 1
    #expect(subscriber.values == [1])
    subscription.cancel()
  }

  @Test func withPriorTheValueBeforeEachChangeIsSentToo() {
    let subscription = subscribe()
    subscription.request(nil)
    subscription.begin(.prior)
    node.number = 1
    node.number = 2
    #expect(subscriber.values == [0, 1, 1, 2])
    subscription.cancel()
  }

  @Test func pathsAreFollowed() {
    var values: [Int?] = []
    let subscription = ValueSubscription(node, \.child?.number) { value -> Int? in
      values.append(value)
      return 0
    }
    subscription.request(nil)
    subscription.begin(.initial)
    node.child = Node("child", number: 1)
    node.child?.number = 2
    node.child = nil
    #expect(values == [nil, 1, 2, nil])
    subscription.cancel()
  }

  @Test func aValueThatIsReplacedWhileItWaitsMayCancel() {
    final class Canceling: @unchecked Sendable {
      let cancel: () -> Void
      init(_ cancel: @escaping () -> Void) { self.cancel = cancel }
      deinit { cancel() }
    }
    final class Holder: KeyValueObject {
      var whenReleased: () -> Void = {}
      /// Made anew, so that nobody else retains it.
      var value: Canceling { Canceling(whenReleased) }

      override class var keyPaths: [String: AnyKeyPath] { ["value": \Holder.value] }
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }

      func notify() {
        willChangeValue(forKey: "value")
        didChangeValue(forKey: "value")
      }
    }
    let holder = Holder()
    let subscription = ValueSubscription(holder, \.value) { _ in 0 }
    subscription.begin([])
    var isCanceled = false
    holder.whenReleased = {
      subscription.cancel()
      isCanceled = true
    }
    holder.notify()
    #expect(!isCanceled)
    holder.notify()
    #expect(isCanceled)
    holder.whenReleased = {}
    #expect(holder.registrationCount == 0)
  }

  @Test func twoLargeDemandsAreUnlimited() {
    let subscription = subscribe()
    subscription.request(.max)
    subscription.request(.max)
    subscription.begin(.initial)
    node.number = 1
    #expect(subscriber.values == [0, 1])
    subscription.cancel()
  }

  @Test func noMoreIsSentThanDemanded() {
    let subscription = subscribe()
    subscription.begin(.initial)
    node.number = 1
    #expect(subscriber.values == [])
    subscription.request(2)
    #expect(subscriber.values == [1])
    for number in 2...4 { node.number = number }
    #expect(subscriber.values == [1, 2])
    subscription.request(1)
    #expect(subscriber.values == [1, 2, 4])
    subscription.request(1)
    #expect(subscriber.values == [1, 2, 4])
    subscription.cancel()
  }

  @Test func aReceivedValueMayDemandMore() {
    let subscription = subscribe()
    subscriber.demand = 1
    subscription.begin([])
    subscription.request(1)
    for number in 1...5 { node.number = number }
    #expect(subscriber.values == [1, 2, 3, 4, 5])
    subscriber.demand = 0
    node.number = 6
    node.number = 7
    #expect(subscriber.values == [1, 2, 3, 4, 5, 6])
    subscription.cancel()
  }

  @Test func nothingIsSentAfterCancellation() {
    let subscription = subscribe()
    subscription.request(nil)
    subscription.begin(.initial)
    subscription.cancel()
    node.number = 1
    subscription.request(1)
    subscription.cancel()
    #expect(subscriber.values == [0])
    #expect(node.registrationCount == 0)
  }

  @Test(arguments: [false, true]) func aValueMayCancel(_ isInitial: Bool) {
    let subscription = subscribe()
    subscriber.whenReceiving = { [weak subscription] in subscription?.cancel() }
    subscription.request(nil)
    subscription.begin(isInitial ? .initial : [])
    node.number = 1
    node.number = 2
    #expect(subscriber.values == [isInitial ? 0 : 1])
    #expect(node.registrationCount == 0)
    subscriber.whenReceiving = {}
  }

  /// A subscriber may cancel when it is given the subscription, before that begins.
  @Test func aSubscriptionMayBeCancelledBeforeItBegins() {
    let subscription = subscribe()
    subscription.request(nil)
    subscription.cancel()
    subscription.begin(.initial)
    node.number = 1
    #expect(subscriber.values == [])
    #expect(node.registrationCount == 0)
  }

  @Test func theObjectIsRetainedUntilCancellation() {
    weak var life: Node?
    let subscription: ValueSubscription<Node, Int>
    do {
      let node = Node()
      life = node
      subscription = ValueSubscription(node, \.number) { [subscriber] in subscriber.receive($0) }
      subscription.begin(.initial)
    }
    #expect(life != nil)
    subscription.cancel()
    #expect(life == nil)
  }

  @Test func aValueThatWaitsIsReleasedByCancellation() {
    weak var life: Node?
    let subscription = ValueSubscription(node, \.child) { _ in 0 }
    do {
      let child = Node()
      life = child
      node.child = child
      subscription.begin(.initial)
      node.child = nil
      node.child = child
      subscription.cancel()
      node.child = nil
    }
    #expect(life == nil)
  }

  @Test func aReleasedSubscriptionIsCancelled() {
    do {
      let subscription = subscribe()
      subscription.request(nil)
      subscription.begin([])
      node.number = 1
    }
    node.number = 2
    #expect(subscriber.values == [1])
    #expect(node.registrationCount == 0)
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

  /// As Combine requires of a publisher.
  @Test func valuesAreReceivedOneAtATimeAndInOrder() {
    for _ in 0..<(isSanitized ? 20 : 100) {
      let meter = Meter()
      let (receiving, overlaps, values) = (Locked(0), Locked(0), Locked<[Int]>([]))
      let subscription = ValueSubscription(meter, \.count) { value -> Int? in
        receiving.add()
        if receiving.current != 1 { overlaps.add() }
        values.append(value)
        Thread.sleep(forTimeInterval: 0.00001)
        receiving.add(-1)
        return 1
      }
      subscription.begin([])
      onThreads(3) { thread in
        for _ in 0..<10 {
          if thread == 2 { subscription.request(1) } else { meter.advance() }
        }
      }
      #expect(overlaps.current == 0)
      #expect(values.current == values.current.sorted())
      #expect(values.current.last == 20)
      subscription.cancel()
    }
  }

  /// A change that a received value makes is received within it.
  @Test func aReceivedValueMayChangeTheProperty() {
    let subscription = subscribe()
    subscriber.whenReceiving = { [node] in if node.number < 3 { node.number += 1 } }
    subscription.request(nil)
    subscription.begin([])
    node.number = 1
    #expect(subscriber.values == [1, 2, 3])
    subscription.cancel()
  }

  @Test func cancellationMayRaceWithChanges() {
    for _ in 0..<(isSanitized ? 50 : 300) {
      let (node, count) = (Node(), Locked(0))
      let subscription = ValueSubscription(node, \.number) { _ -> Int? in
        count.add()
        return 0
      }
      subscription.request(nil)
      subscription.begin(.initial)
      let steady = Counter()
      steady.observe(node, "number", [])
      let atCancellation = Locked(0)
      onThreads(2) { thread in
        if thread == 0 {
          for number in 0..<20 { node.number = number }
        } else {
          subscription.cancel()
          atCancellation.withLock { $0 = count.current }
        }
      }
      // One call may be under way when the subscription is cancelled.
      #expect(count.current <= atCancellation.current + 1)
      #expect(steady.total == 20)
    }
  }
}
