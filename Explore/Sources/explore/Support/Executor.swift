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
    guard explore_await_or_end(waiting) else { return false }
    waiting.pointee -= 1
    if tasks.isEmpty {
      jobs.removeFirst().runSynchronously(on: asUnownedSerialExecutor())
    } else {
      explore_run_job(tasks.removeFirst())
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
  deinit { Census.count -= 1 }
}
