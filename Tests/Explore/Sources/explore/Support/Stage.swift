import KVOController
import Scheduler

/// An actor that observes a node. The first thread of a program stands for the actor.
final class Stage {
  let actor = StubActor()
  let node = Node()
  let watcher = Watcher()
  let controller: KVOController
  /// The new values that handlers have received; -1 for none.
  let log = Log<Int>()
  /// The calls of handlers, one inside of the other.
  private var depth = 0
  private(set) var deepest = 0

  init(retainsObserved: Bool = true) {
    controller = KVOController(observer: watcher, retainObserved: retainsObserved)
  }

  /// Observes a key path of the node on the actor.
  @discardableResult
  func observe(
    _ keyPath: KeyPath<Node, Int>, _ options: NSKeyValueObservingOptions = .new, _ delivery: KVODelivery = .each,
    _ handler: @escaping (Int) -> Void = { _ in }
  ) -> KVOObservation {
    var token: KVOObservation?
    actor.perform { actor in
      token = self.observe(keyPath, options, delivery, on: actor, handler)
    }
    Executor.shared.runAll()
    return token!
  }

  /// Observes a key path of the node, on the actor.
  func observe(
    _ keyPath: KeyPath<Node, Int>, _ options: NSKeyValueObservingOptions, _ delivery: KVODelivery = .each,
    on actor: isolated StubActor, _ handler: @escaping (Int) -> Void = { _ in }
  ) -> KVOObservation {
    controller.observe(node, keyPath, options: options, isolation: actor, delivery: delivery) {
      [unowned self] (_: Watcher, _: Node, change: KVOChange<Int>) in call(change.newValue ?? -1, handler)
    }
  }

  /// Observes a key path of an object on the actor, with a block.
  func observe(_ object: KeyValueObject, onActor keyPath: String) {
    actor.perform { actor in
      self.controller.observe(object, keyPath: keyPath, options: .new, isolation: actor) {
        [unowned self] _, _, change in
        call(change[.newKey] as? Int ?? -1)
      }
    }
    Executor.shared.runAll()
  }

  /// Records a call, and checks that it is made on the actor.
  func call(_ value: Int, _ handler: (Int) -> Void = { _ in }) {
    expect(explore_thread() <= 0, "a handler is called on another thread")
    depth += 1
    deepest = max(deepest, depth)
    log.record(value)
    handler(value)
    depth -= 1
  }

  /// Ends all observations, and expects that nobody observes the node.
  func finish() {
    controller.unobserveAll()
    end([], of: node)
    withExtendedLifetime(watcher) {}
  }
}

extension Run {
  /// Adds the thread that stands for the actor. It runs a body there, and then what other threads have left for the actor.
  func actor(_ stage: Stage, _ body: @escaping (isolated StubActor) -> Void = { _ in }) {
    thread {
      stage.actor.perform(body)
      Executor.shared.runAll()
    }
  }
}

/// Expects that no value is older than the one before, where values only grow.
func expectInOrder(_ values: [Int]) {
  expect(values == values.sorted(), "an older value after a newer one: \(values)")
}

/// All elements of a sequence that has ended.
func elements<Element: Sendable>(of stream: AsyncStream<Element>) -> [Element] {
  let received = Log<Element>()
  let hasEnded = Signal()
  Task.detached {
    for await element in stream { received.record(element) }
    hasEnded.send()
  }
  Executor.shared.runAll()
  expect(hasEnded.isSent, "a sequence hasn't ended")
  return received.all
}
