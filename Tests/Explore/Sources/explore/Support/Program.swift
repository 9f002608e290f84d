import Scheduler

/// A small program with threads, which is run under many schedules.
struct Program: Sendable {
  let name: String
  /// The rule that it checks, in one sentence.
  let rule: String
  /// Makes the objects, threads, and checks of one run.
  let make: @Sendable (Run) -> Void

  init(_ name: String, _ rule: String, _ make: @escaping @Sendable (Run) -> Void) {
    self.name = name
    self.rule = rule
    self.make = make
  }
}

/// One run of a program, under one schedule.
final class Run {
  private var bodies: [() -> Void] = []
  private var checks: [() -> Void] = []

  /// Adds a thread, which runs after the program was made.
  func thread(_ body: @escaping () -> Void) { bodies.append(body) }

  /// Adds a check, which runs after all threads have ended.
  func check(_ body: @escaping () -> Void) { checks.append(body) }

  /// Runs a program once. Afterwards none of its objects may be left.
  static func run(_ program: Program) {
    do {
      let run = Run()
      program.make(run)
      explore_run(
        Int32(run.bodies.count),
        { context, thread in
          let run = Unmanaged<Run>.fromOpaque(context).takeUnretainedValue()
          run.bodies[Int(thread)]()
        }, Unmanaged.passUnretained(run).toOpaque())
      withExtendedLifetime(run) {}
      run.bodies = []
      for check in run.checks { check() }
    }
    Executor.shared.reset()
    expect(Census.count == 0, "\(Census.count) objects are left")
    Census.count = 0
  }
}

/// Fails, with the schedule, unless `condition` is true.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { explore_fail(message()) }
}

/// Fails unless two values are equal.
func expect<Value: Equatable>(_ value: Value, equals expected: Value..., as name: String = "calls") {
  expect(
    expected.contains(value),
    "\(name): \(value), expected \(expected.map { "\($0)" }.joined(separator: " or "))")
}

/// A point at which another thread may go on.
func point() { explore_point("point") }
