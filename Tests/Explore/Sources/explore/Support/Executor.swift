import Scheduler

/// Runs tasks, and the jobs of ``StubActor``, on a thread of the program: one thread stands for the actor.
final class Executor: SerialExecutor, @unchecked Sendable {
  static let shared = Executor()

  private var jobs: [UnownedJob] = []
  private var tasks: [UnsafeMutableRawPointer] = []
  private let waiting = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  private init() { waiting.initialize(to: 0) }

  /// Makes tasks without an actor wait for the thread too.
  func begin() {
    explore_take_tasks { job in
      Executor.shared.tasks.append(job)
      Executor.shared.waiting.pointee += 1
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.append(UnownedJob(job))
    waiting.pointee += 1
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Runs one job, and waits for it before.
  ///
  /// - Returns: false, once no other thread can add one.
  func runNext() -> Bool {
    let isOnThread = explore_thread() >= 0
    guard isOnThread ? explore_await_or_end(waiting) : waiting.pointee > 0 else { return false }
    waiting.pointee -= 1
    if !tasks.isEmpty {
      explore_run_job(tasks.removeFirst())
    } else {
      jobs.removeFirst().runSynchronously(on: asUnownedSerialExecutor())
    }
    return true
  }

  /// Runs jobs until no other thread can add one.
  func runAll() { while runNext() {} }

  func reset() {
    expect(jobs.isEmpty && tasks.isEmpty, "tasks are left")
  }
}

/// An actor whose jobs run on a thread of the program.
actor StubActor {
  nonisolated var unownedExecutor: UnownedSerialExecutor { Executor.shared.asUnownedSerialExecutor() }

  init() { Census.count += 1 }
  deinit {
    explore_require_no_lock()
    Census.count -= 1
  }

  /// Runs a body on the actor, and jobs that come before it. Called on the thread that stands for the actor, or before or after
  /// all threads.
  nonisolated func perform(_ body: @escaping (isolated StubActor) -> Void) {
    // One thread runs at a time.
    nonisolated(unsafe) let body = body
    let hasRun = Signal()
    Task.detached {
      await self.run(body)
      hasRun.send()
    }
    while !hasRun.isSent { expect(Executor.shared.runNext(), "a job is missing") }
  }

  /// Adds a job.
  nonisolated func enqueue(_ body: @escaping (isolated StubActor) -> Void) {
    nonisolated(unsafe) let body = body
    Task.detached { await self.run(body) }
  }

  private func run(_ body: (isolated StubActor) -> Void) { body(self) }
}
