import Foundation
import KVOController

/// An actor that observes models, whose jobs run when the benchmark says so, on its thread.
actor Listener {
  private let jobs = Jobs()
  private let watcher: Watcher
  private var observed: [Model] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { jobs.asUnownedSerialExecutor() }

  /// Observes the numbers of models on the actor.
  static func observing(
    _ models: [Model], for watcher: Watcher, options: NSKeyValueObservingOptions = [.old, .new],
    delivery: KVODelivery = .each
  ) -> Listener {
    // One thread uses all of them.
    nonisolated(unsafe) let (models, watcher) = (models, watcher)
    let listener = Listener(watcher)
    Task.detached { await listener.observe(models, options, delivery) }
    listener.runJob()
    return listener
  }

  private init(_ watcher: sending Watcher) { self.watcher = watcher }

  private func observe(_ models: [Model], _ options: NSKeyValueObservingOptions, _ delivery: KVODelivery) {
    observed = models
    for model in models {
      watcher.kvoController.observe(model, \.number, options: options, delivery: delivery) {
        (watcher: Watcher, _, change) in watcher.take(change.newValue ?? 0)
      }
    }
  }

  func hop() { watcher.take(1) }

  /// Waits for a job, and runs those that are there.
  nonisolated func runJob() { jobs.run() }

  nonisolated var jobsRun: Int { jobs.runCount }
}

/// - Thread safety: The jobs are guarded by the lock.
private final class Jobs: SerialExecutor, @unchecked Sendable {
  private let lock = NSLock()
  private let arrivals = DispatchSemaphore(value: 0)
  private var jobs: [UnownedJob] = []
  private(set) var runCount = 0

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.withLock { jobs.append(job) }
    arrivals.signal()
  }

  func run() {
    var taken: [UnownedJob] = []
    while taken.isEmpty {
      arrivals.wait()
      taken = lock.withLock {
        defer { jobs = [] }
        return jobs
      }
    }
    for job in taken { job.runSynchronously(on: asUnownedSerialExecutor()) }
    runCount += taken.count
  }
}
