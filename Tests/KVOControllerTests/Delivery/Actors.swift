import KVOController
import _KVOTestSupport

/// Two actors that observe: one on the default executor, one on an executor of its own.
protocol Listener: Actor {
  var state: ListenerState { get }
}

/// The changes that an actor received. Only the actor accesses them.
final class ListenerState {
  let observer = Relay()
  let controller: KVOController
  var numbers: [Int] = []
  var priors: [Bool] = []
  var tokens: [KVOObservation] = []
  /// Another controller with the same lifetime.
  var kept: KVOController?

  init() {
    controller = KVOController(observer: observer)
  }
}

/// An observer whose methods call a handler.
final class Relay {
  var handler: (Int, Bool) -> Void = { _, _ in }

  func receive(_ change: [NSKeyValueChangeKey: Any]) {
    handler(change[.newKey] as? Int ?? -1, change[.notificationIsPriorKey] != nil)
  }

  func receive(_ change: [NSKeyValueChangeKey: Any], of object: Any) {
    if object is Song { receive(change) }
  }
}

actor DefaultListener: Listener {
  let state = ListenerState()
}

actor QueueListener: Listener {
  let state = ListenerState()
  private let executor = QueueExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

/// Runs an actor's jobs one after the other, on a queue.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "QueueExecutor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

extension Listener {
  func run<Result: Sendable>(_ body: @Sendable (isolated Self) throws -> Result) rethrows -> Result {
    try body(self)
  }

  var numbers: [Int] { state.numbers }

  /// Observes the plays of a song in one of the forms that take closures.
  func listen(to song: Song, as form: ClosureForm, options: NSKeyValueObservingOptions = [.new]) {
    let state = state
    form.observe(song, with: state.controller, options: options, in: self) { [weak self, weak state] plays, isPrior in
      self?.preconditionIsolated()
      state?.numbers.append(plays)
      state?.priors.append(isPrior)
    }
  }
}

/// The forms of `observe` whose handlers run where they were made.
enum ClosureForm: String, CaseIterable, Sendable {
  case block, blocks, action, objectAction, typed, typedWithObserver

  /// Observes the plays of `song`. The handler receives the new number, and whether the call precedes the change.
  func observe(
    _ song: Song, with controller: KVOController, options: NSKeyValueObservingOptions,
    in isolation: isolated (any Actor)? = #isolation, _ handler: @escaping (Int, Bool) -> Void
  ) {
    let block: FBKVONotificationBlock = { _, _, change in
      handler(change[.newKey] as? Int ?? -1, change[.notificationIsPriorKey] != nil)
    }
    (controller.observer as? Relay)?.handler = handler
    switch self {
    case .action:
      controller.observe(song, keyPath: "plays", options: options, isolation: isolation, action: Relay.receive(_:))
    case .objectAction:
      controller.observe(song, keyPath: "plays", options: options, isolation: isolation, action: Relay.receive(_:of:))
    case .block:
      controller.observe(song, keyPath: "plays", options: options, isolation: isolation, block: block)
    case .blocks:
      controller.observe(song, keyPaths: ["plays"], options: options, isolation: isolation, block: block)
    case .typed:
      controller.observe(song, \.plays, options: options, isolation: isolation) { _, change in
        handler(change.newValue ?? -1, change.isPrior)
      }
    case .typedWithObserver:
      controller.observe(song, \.plays, options: options, isolation: isolation) { (_: Relay, _, change) in
        handler(change.newValue ?? -1, change.isPrior)
      }
    }
  }
}

extension Song {
  private static let writing = NSLock()

  /// Sets the plays, on whatever thread: only one at a time.
  func play(_ number: Int) {
    Self.writing.withLock { plays = number }
  }
}
