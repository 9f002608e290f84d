import Foundation
import KVOController
import Probes

extension Group {
  static var memory: Group {
    Group("memory") {
      Case("object with an Int, plain") { size(of: Plain()) }
      Case("object with an Int, unobserved", .beside("object with an Int, plain", atMostMore: 16)) {
        size(of: Model())
      }
      Case("Int", bytes: { Double(MemoryLayout<Int>.size) })
      Case("@Observed Int", .beside("Int", atMostMore: 0)) { Double(MemoryLayout<Observed<Int>>.size) }
      Case("object with a weak reference, plain") { size(of: PlainWeakModel()) }
      Case("object with a weak reference, unobserved", .beside("object with a weak reference, plain", atMostMore: 0)) {
        size(of: WeakModel())
      }
      Case("one more observer of a key, by a block", .atMost(250)) {
        let model = Model(), watchers = Watcher.many
        return bytesPerObservation { watchers[$0].observe(model, "number") }
      }
      Case("one more object of an observer, by a block", .atMost(350)) {
        let watcher = Watcher(), models = (0..<observations).map { _ in Model() }
        watcher.observe(Model(), "number")
        return bytesPerObservation { watcher.observe(models[$0], "number") }
      }
      Case("an object and an observer, by a block", .atMost(350)) {
        let watchers = Watcher.many, models = (0..<observations).map { _ in Model() }
        return bytesPerObservation { watchers[$0].observe(models[$0], "number") }
      }
      Case("an object that is no longer observed, over one that never was", .atMost(150)) {
        let watcher = Watcher(), models = (0..<observations).map { _ in Model() }
        return bytesPerObservation {
          watcher.observe(models[$0], "number")
          watcher.kvoController.unobserve(models[$0])
        }
      }
      Case("one more observer of a key, by a typed handler") {
        let model = Model(), watchers = Watcher.many
        return bytesPerObservation { number in
          watchers[number].kvoController.observe(model, \.number) { (watcher: Watcher, _, _) in watcher.take(1) }
        }
      }
      Case("one more observer of a key, by a typed handler of the main actor", .atMost(250)) {
        let model = Model(), watchers = Watcher.many
        return bytesPerObservation { observeOnMainActor(watchers[$0], model) }
      }
      Case("an object and an observer, by a typed handler of the main actor", .atMost(350)) {
        let watchers = Watcher.many, models = (0..<observations).map { _ in Model() }
        return bytesPerObservation { observeOnMainActor(watchers[$0], models[$0]) }
      }
      Case("one more object of an actor, by a typed handler", .atMost(500)) { bytesOfActor.observation }
      Case("its lane, when nothing waits", .atMost(80)) { bytesOfActor.lane }
      Case("one more observer of a key, by addObserver") {
        let model = Model(), watchers = Watcher.many
        return bytesPerObservation {
          model.addObserver(watchers[$0], forKeyPath: "number", options: [.old, .new], context: nil)
        }
      }
      Case("one more observer, NotificationCenter") {
        let model = Posting(), watchers = Watcher.many
        var tokens: [any NSObjectProtocol] = []
        tokens.reserveCapacity(observations)
        defer { tokens.forEach(model.center.removeObserver) }
        return bytesPerObservation { tokens.append(model.add(watchers[$0], object: model)) }
      }
      Case("controller") {
        let watchers = (0..<observations).map { _ in Watcher() }
        return bytesPerObservation { _ = watchers[$0].kvoController }
      }
    }
  }
}

/// So many that tables have just grown, and are half empty.
private let observations = 100_000

extension Watcher {
  /// Observers with their controllers.
  fileprivate static var many: [Watcher] {
    (0..<observations).map { _ in
      let watcher = Watcher()
      _ = watcher.kvoController
      return watcher
    }
  }
}

/// The size of the smallest block of several, because `malloc` may reuse one that is a little too large.
private func size(of make: @autoclosure () -> AnyObject) -> Double {
  let objects = (0..<100).map { _ in make() }
  return Double(objects.map { probe_block_size(Unmanaged.passUnretained($0).toOpaque()) }.min() ?? 0)
}

/// Observes on the main actor. The program runs on the main thread only.
private func observeOnMainActor(_ watcher: Watcher, _ model: Model) {
  nonisolated(unsafe) let watcher = watcher
  nonisolated(unsafe) let model = model
  MainActor.assumeIsolated {
    _ = watcher.kvoController.observe(model, \.number) { (watcher: Watcher, _, _) in watcher.take(1) }
  }
}

/// The memory that one observation of an actor adds, and its lane after a change was made elsewhere and delivered.
private var bytesOfActor: (observation: Double, lane: Double) {
  let models = (0..<observations).map { _ in Model() }, watcher = Watcher()
  let first = probe_allocated_bytes()
  let listener = Listener.observing(models, for: watcher)
  let second = probe_allocated_bytes()
  for model in models { model.number = 1 }
  while watcher.calls < observations { listener.runJob() }
  let third = probe_allocated_bytes()
  return withExtendedLifetime(listener) {
    (Double(second - first) / Double(observations), Double(third - second) / Double(observations))
  }
}

/// The memory that one observation adds, while all of them are active, with what `malloc` has mapped for large tables.
private func bytesPerObservation(_ observe: (Int) -> Void) -> Double {
  observe(0)
  let before = probe_allocated_bytes()
  for number in 1..<observations { observe(number) }
  return Double(probe_allocated_bytes() - before) / Double(observations - 1)
}
