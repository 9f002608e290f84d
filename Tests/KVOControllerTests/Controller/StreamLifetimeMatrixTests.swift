import KVOController
import Testing
import _KVOTestSupport

/// Observer, controller, observed object, object on the path, reading task and observing actor end in every order,
/// between changes and while a change is delivered. Exactly the expected changes are received, and nothing is retained.
@Suite(.watched) struct StreamLifetimeMatrixTests {
  /// The time at which a participant ends: between changes, or when an actor's handler or a task's loop has received
  /// one.
  enum Moment: CaseIterable, Sendable {
    case between, actorsHandler, tasksLoop
  }

  @Test(arguments: AsyncCast.Role.allCases, Moment.allCases)
  func everyOrderOfReleasesIsSafe(first: AsyncCast.Role, moment: Moment) async {
    let stride = isSanitized ? 10 : 1
    for isRetaining in [true, false] {
      for (index, order) in first.orders.enumerated() where index % stride == 0 {
        let census = Census()
        let failure = await run(order, moment, isRetaining, census)
        #expect(failure == nil, "\(isRetaining ? "retaining" : "not retaining"), in the order \(order)")
        #expect(census.living == 0, "\(isRetaining ? "retaining" : "not retaining"), in the order \(order)")
      }
    }
  }

  private func run(
    _ order: [AsyncCast.Role], _ moment: Moment, _ isRetaining: Bool, _ census: Census
  ) async -> String? {
    var play = Play(retainObserved: isRetaining, census)
    return await play.run(order, moment)
  }

  /// One order, from the first participant that ends to the last.
  private struct Play {
    private let cast: AsyncCast
    private let isRetaining: Bool
    private var left: Set<AsyncCast.Role> = []
    private var expected: [AsyncCast.Source: [Int?]] = [:]
    /// Numbers that may be received or not, because a participant ended after others had received them.
    private var optional: Set<Int> = []
    private var number = 0

    init(retainObserved: Bool, _ census: Census) {
      cast = AsyncCast(retainObserved: retainObserved, census)
      isRetaining = retainObserved
    }

    /// - Returns: A description of the failure; nil if there is none.
    mutating func run(_ order: [AsyncCast.Role], _ moment: Moment) async -> String? {
      await cast.begin()
      // The value at the beginning.
      expected[.path] = [0]
      await settle()
      for role in order {
        await end(role, moment)
        let living = Set(AsyncCast.Role.allCases).subtracting(left).subtracting([.task])
          .union(isRetaining && isStanding ? [.object] : [])
        // The participants in a job that is running are alive during it.
        while cast.lives.living.isStrictSuperset(of: living) { await Task.yield() }
        change()
        await settle()
        guard cast.lives.living == living else { return "alive after \(role): \(cast.lives.living), not \(living)" }
        if let failure = difference() { return "\(failure) after \(role) had ended" }
      }
      await cast.wait()
      return difference()
    }

    private var isStanding: Bool { !left.contains(.controller) && !left.contains(.observer) }

    private func receives(_ source: AsyncCast.Source) -> Bool {
      let isAlive = isStanding && (isRetaining || !left.contains(.object))
      return isAlive && !left.contains(source == .actor ? .actor : .task)
    }

    private mutating func end(_ role: AsyncCast.Role, _ moment: Moment) async {
      let source: AsyncCast.Source = moment == .actorsHandler ? .actor : .task
      let receivedPath = receives(.path)
      if moment != .between, receives(source), let object = cast.lives.object.object {
        number += 1
        optional.insert(number)
        cast.arm(source, role)
        object.radius = number
        while !cast.isDisarmed { await Task.yield() }
      } else {
        cast.end(role)
      }
      left.insert(role)
      // A cancelled task ends its sequence when it next asks for an element.
      if role == .task { await cast.wait() }
      if role == .middle, receivedPath { expected[.path, default: []].append(nil) }
    }

    /// Changes everything that is still there.
    private mutating func change() {
      number += 1
      cast.lives.object.object?.radius = number
      if receives(.task) { expected[.task, default: []].append(number) }
      if receives(.actor) { expected[.actor, default: []].append(number) }
      guard let point = cast.lives.middle.object else { return }
      point.x = number
      if receives(.path), cast.lives.object.isAlive { expected[.path, default: []].append(number) }
    }

    private func received(by source: AsyncCast.Source) -> [Int?] {
      cast.received(by: source).filter { $0.map(optional.contains) != true }
    }

    /// Waits until everything has arrived that is expected.
    private func settle() async {
      for source in AsyncCast.Source.allCases {
        while received(by: source).count < expected[source]?.count ?? 0 { await Task.yield() }
      }
    }

    private func difference() -> String? {
      for source in AsyncCast.Source.allCases where received(by: source) != expected[source] ?? [] {
        return "\(source) received \(received(by: source)) instead of \(expected[source] ?? [])"
      }
      return nil
    }
  }
}
