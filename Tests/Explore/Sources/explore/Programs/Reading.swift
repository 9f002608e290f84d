import KVOController
import Scheduler

/// Programs about reading values, most of them for an actor or a sequence.
let readingPrograms: [Program] = [
  Program("read-at-most-twice", "A value for an actor is read at most twice for a change, whatever other threads do.") {
    run in
    let (stage, meter) = (Stage(), Meter())
    stage.actor.perform { actor in
      stage.controller.observe(meter, \.sum, options: .new, isolation: actor) {
        [unowned stage] (_: Watcher, _: Meter, change: KVOChange<Int>) in stage.call(change.newValue ?? -1)
      }
    }
    Executor.shared.runAll()
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
    "value-of-earlier-change", "A value that is read also serves an earlier change whose value is still being read."
  ) {
    run in
    let (stage, meter) = (Stage(), Meter())
    stage.observe(meter, onActor: "sum")
    let (begun, changed) = (Signal(), Signal())
    meter.willRead = { thread in
      guard thread == 1 else { return }
      begun.send()
      changed.wait()
    }
    run.actor(stage)
    run.thread { meter.count(atMost: 1) { meter.a = 1 } }
    run.thread {
      begun.wait()
      meter.b = 2
      changed.send()
    }
    run.check {
      expect(stage.log.all, equals: [3, 3])
      meter.willRead = { _ in }
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
