import KVOController
import Scheduler

/// Programs about subscriptions to values.
let subscriptionPrograms: [Program] = [
  Program("subscription-two-threads", "The values of two threads are received one at a time, and in order.") {
    run in
    let (node, subscriber) = (Node(), Subscriber())
    let subscription = subscriber.subscribe(to: node, \.sum)
    subscription.request(nil)
    subscription.begin([])
    run.thread { node.number = 1 }
    run.thread { node.other = 2 }
    run.check {
      expect(subscriber.values, equals: [1, 3], [2, 3], [3, 3])
      subscription.cancel()
      end([], of: node)
    }
  },

  Program("subscription-requests", "A value that waits for demand isn't received while another one is.") { run in
    let (node, subscriber) = (Node(), Subscriber())
    let subscription = subscriber.subscribe(to: node, \.number)
    subscription.begin([])
    run.thread {
      node.number = 1
      node.number = 2
    }
    run.thread { subscription.request(2) }
    run.check {
      expect(subscriber.values, equals: [1, 2], [2])
      subscription.cancel()
      end([], of: node)
    }
  },

  Program("subscription-answers", "A receiver may set the property again while another thread waits for it.") { run in
    let (node, subscriber) = (Node(), Subscriber())
    let subscription = subscriber.subscribe(to: node, \.sum)
    subscriber.whenReceiving = { if node.number == 1 { node.number = 2 } }
    subscription.request(nil)
    subscription.begin([])
    run.thread { node.number = 1 }
    run.thread { node.other = 10 }
    run.check {
      expectInOrder(subscriber.values)
      expect(subscriber.values.last!, equals: 12, as: "the last value")
      subscriber.whenReceiving = {}
      subscription.cancel()
      end([], of: node)
    }
  },

  Program("subscription-cancelled", "After a subscription is cancelled it receives no other value.") { run in
    let (node, subscriber) = (Node(), Subscriber())
    let subscription = subscriber.subscribe(to: node, \.number)
    subscription.request(nil)
    subscription.begin([])
    run.thread {
      node.number = 1
      node.number = 2
    }
    run.thread {
      subscription.cancel()
      let count = subscriber.values.count
      point()
      expect(subscriber.values.count <= count + 1, "two values after the end")
    }
    run.check {
      expectInOrder(subscriber.values)
      end([], of: node)
    }
  },
]

/// Records the values that it receives. Other threads may go on meanwhile, and wait for their turn.
private final class Subscriber {
  private(set) var values: [Int] = []
  var whenReceiving: () -> Void = {}
  private var receiver: Int32?

  func subscribe(to node: Node, _ keyPath: KeyPath<Node, Int>) -> ValueSubscription<Node, Int> {
    ValueSubscription(node, keyPath) { value in
      self.receive(value)
      return 0
    }
  }

  private func receive(_ value: Int) {
    let former = receiver
    expect(former == nil || former == explore_thread(), "two values are received at once")
    receiver = explore_thread()
    values.append(value)
    point()
    whenReceiving()
    receiver = former
  }
}
