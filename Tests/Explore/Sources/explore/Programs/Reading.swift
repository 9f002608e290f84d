import KVOController
import Scheduler

/// Programs about reading values, most of them for an actor or a sequence.
let readingPrograms: [Program] = [
  Program("read-at-most-twice", "A value for an actor is read at most twice for a change, whatever other threads do.") {
    run in
    let (stage, meter) = (Stage(), Meter())
    stage.observe(meter)
    run.thread { meter.count { meter.a = 1 } }
    run.thread { meter.count { meter.b = 2 } }
    run.thread { meter.count { meter.c = 4 } }
    run.check {
      Executor.shared.runAll()
      expectInOrder(stage.log.all)
      expect(stage.log.last!, equals: 7, as: "the last value")
      expect(stage.log.count, equals: 3, as: "calls")
      stage.finish()
      expect(meter.observationInfo == nil, "the meter is observed after its last observation")
    }
  },

  Program("value-that-is-read-early", "A value that was read before a newer one was queued is read again.") { run in
    let (stage, meter) = (Stage(), Meter())
    let values = stage.controller.values(of: meter, \.sum)
    let (begun, read, changed, queued) = (Signal(), Signal(), Signal(), Signal())
    meter.willRead = { thread in
      if thread == 0 {
        begun.send()
        changed.wait()
      } else if thread == 2 {
        changed.send()
      }
    }
    meter.didRead = { thread in
      guard thread == 1 else { return }
      read.send()
      queued.wait()
    }
    run.thread {
      meter.a = 1
      queued.send()
    }
    run.thread {
      begun.wait()
      meter.b = 2
    }
    run.thread {
      read.wait()
      meter.c = 4
    }
    run.check {
      stage.controller.unobserveAll()
      let values = elements(of: values)
      expectInOrder(values)
      expect(values.last!, equals: 7, as: "the last value")
      expect(values.count, equals: 4, as: "elements")
      (meter.willRead, meter.didRead) = ({ _ in }, { _ in })
      stage.finish()
    }
  },

  Program(
    "turn-between-announcement-and-append",
    "A turn while values are being read doesn't let the actor's own change overtake them, or an older one come after it."
  ) {
    run in
    let (stage, meter) = (Stage(), Meter())
    stage.observe(meter)
    run.actor(stage) { actor in
      stage.controller.deliverNow(isolation: actor)
      meter.c = 4
      expect(stage.log.last.map { $0 & 4 }, equals: 4, as: "what the set has changed")
    }
    run.thread { meter.a = 1 }
    run.thread { meter.b = 2 }
    run.check {
      Executor.shared.runAll()
      expectGrowing(stage.log.all)
      expect(stage.log.last!, equals: 7, as: "the last value")
      expect(stage.log.count, equals: 3, as: "calls")
      stage.finish()
    }
  },

  Program(
    "read-that-comes-to-nothing-frees-the-actor",
    "Once a value that was being read is given up, because the path has left, the actor delivers inside of handlers again."
  ) {
    run in
    let (stage, old, new) = (Stage(), Node(1), Node(2))
    stage.node.child = old
    stage.observe(\.child!.number) { if $0 == 100 { new.number = 101 } }
    run.actor(stage)
    run.thread { old.number = 5 }
    run.thread { stage.node.child = new }
    run.check {
      stage.actor.perform { _ in new.number = 100 }
      Executor.shared.runAll()
      expect(stage.log.all.suffix(2), equals: [100, 101], as: "the last calls")
      expect(stage.deepest, equals: 2, as: "depth")
      stage.finish()
    }
  },

  Program("replace-while-two-changes-reach-both", "What replaces an observation gets no older value after a newer one.")
  {
    run in
    let (stage, meter) = (Stage(), Meter())
    stage.observe(meter, identifier: 1)
    run.actor(stage) { actor in stage.observe(meter, identifier: 1, on: actor) }
    run.thread { meter.a = 1 }
    run.thread { meter.b = 2 }
    run.check {
      Executor.shared.runAll()
      expectGrowing(stage.log.all)
      stage.finish()
    }
  },

  Program("read-after-end", "A property isn't read any longer once the last observation of its object has ended.") {
    run in
    let (root, meter, other) = (Meter(), Meter(), Meter())
    root.next = meter
    let log = Log<Int>()
    let token = root.observe(\.next?.sum, options: .new) { _, change in log.record((change.newValue ?? nil) ?? -1) }
    other.willRead = { _ in expect(false, "what was set after the end is read") }
    run.thread { meter.a = 1 }
    run.thread {
      token.invalidate()
      // As nobody observes it, it is stored without the lock.
      root.next = other
    }
    run.check {
      expect(log.all, equals: [], [1])
      expect(root.observationInfo == nil, "the root is observed after its last observation")
    }
  },
]

extension Stage {
  /// Observes the sum of a meter on the actor.
  fileprivate func observe(_ meter: Meter, identifier: AnyHashable? = nil) {
    actor.perform { self.observe(meter, identifier: identifier, on: $0) }
    Executor.shared.runAll()
  }

  fileprivate func observe(_ meter: Meter, identifier: AnyHashable?, on actor: isolated StubActor) {
    controller.observe(meter, \.sum, options: .new, identifier: identifier, isolation: actor) {
      [unowned self] (_: Watcher, _: Meter, change: KVOChange<Int>) in call(change.newValue ?? -1)
    }
  }
}

/// Expects that each value has all bits of the one before.
private func expectGrowing(_ values: [Int]) {
  let isGrowing = zip(values, values.dropFirst()).allSatisfy { $0 & $1 == $0 }
  expect(isGrowing, "an older value after a newer one: \(values)")
}

/// A model with a getter during which other threads may go on, and which counts how often a thread reads it.
private final class Meter: Counted {
  @Observed var a = 0
  @Observed var b = 0
  @Observed var c = 0
  @Observed var next: Meter?
  /// Called by a thread that reads the sum, with its number.
  var willRead: (Int32) -> Void = { _ in }
  var didRead: (Int32) -> Void = { _ in }
  private var reads: [Int32: Int] = [:]

  var sum: Int {
    reads[explore_thread(), default: 0] += 1
    willRead(explore_thread())
    point()
    defer { didRead(explore_thread()) }
    return a + b + c
  }

  override class var keyPaths: [String: AnyKeyPath] { ["sum": \Meter.sum] }
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "sum" ? ["a", "b", "c"] : []
  }

  /// Makes a change, and checks how often the thread has read the sum.
  func count(atMost most: Int = 2, _ change: () -> Void) {
    change()
    let reads = reads[explore_thread()] ?? 0
    expect(reads <= most, "the value was read \(reads) times for one change")
  }
}
