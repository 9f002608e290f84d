import Foundation
import KVOController

/// A model with a lock, as the page on concurrency has it.
class Locked: KeyValueObject {
  private let lock = NSLock()
  private var number = 0

  override class var keyPaths: [String: AnyKeyPath] { ["count": \Locked.count] }

  final var count: Int {
    didAccessValue(forKey: "count")
    return lock.withLock { number }
  }

  final func set(_ value: Int) {
    willChangeValue(forKey: "count")
    lock.withLock { number = value }
    didChangeValue(forKey: "count")
  }
}

/// One whose getter isn't followed, and which Key-Value Coding doesn't notify of.
final class LockedByHand: Locked {
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "count" }
}

/// Properties that are computed from others, and declare nothing.
final class Computed: KeyValueObject {
  @Observed var width = 0
  @Observed var height = 1
  @Observed var parts: [Model] = []

  var area: Int { width * height }
  var sum: Int { parts.reduce(0) { $0 + $1.number } }
}

/// One whose class lists it.
final class ListedArea: KeyValueObject {
  @Observed var width = 0
  @Observed var height = 1

  override class var keyPaths: [String: AnyKeyPath] { ["area": \ListedArea.area] }

  var area: Int { width * height }
}

/// Lets an actor observe a model with a lock, and be busy until this is deallocated.
final class BusyActor {
  private let controller: KVOController
  private let end = DispatchSemaphore(value: 0)

  private actor Worker {
    func observe(_ model: Locked, with controller: KVOController, _ begun: DispatchSemaphore, _ end: DispatchSemaphore)
    {
      controller.observe(model, \.count, options: .new, delivery: .coalesced) { _, _ in }
      begun.signal()
      end.wait()
    }
  }

  init(_ model: Locked, _ watcher: Watcher) {
    // This thread waits until they are observed.
    nonisolated(unsafe) let (model, controller) = (model, KVOController(observer: watcher))
    self.controller = controller
    let begun = DispatchSemaphore(value: 0)
    Task.detached { [end] in await Worker().observe(model, with: controller, begun, end) }
    begun.wait()
  }

  deinit { end.signal() }
}
