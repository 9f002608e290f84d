import KVOController
import _KVOTestSupport

/// All participants in sequences and in the observations of actors, each of which may end at any time.
final class AsyncCast: @unchecked Sendable {
  enum Role: CaseIterable, Sendable {
    case observer, controller, object, middle, task, actor

    /// Every order that begins with this one.
    var orders: [[Role]] { permutations(of: Role.allCases.filter { $0 != self }).map { [self] + $0 } }
  }

  /// The receivers of changes: a task that reads the changes of a key, one that reads a path, and an actor.
  enum Source: CaseIterable, Sendable {
    case task, path, actor
  }

  /// Observes from its own isolation.
  actor Follower {
    func follow(_ circle: Circle, with controller: KVOController, _ receive: @escaping @Sendable (Int?) -> Void) {
      controller.observe(circle, \.radius) { [weak self] _, change in
        self?.preconditionIsolated()
        receive(change.newValue)
      }
    }
  }

  private let observer: Locked<Recorder?>
  private let controller: Locked<KVOController?>
  private let object: Locked<Circle?>
  private let middle: Locked<Point?>
  private let actor: Locked<Follower?>
  private let tasks = Locked<[Task<Void, Never>]>([])
  private let received = Locked<[Source: [Int?]]>([:])
  private let armed = Locked<(Source, Role)?>(nil)
  let lives: AsyncLives

  init(retainObserved: Bool, _ census: Census) {
    let (recorder, circle, point, follower) = (Recorder(), Circle(resident: Resident(census)), Point(), Follower())
    circle.center = point
    let controller = KVOController(observer: recorder, retainObserved: retainObserved)
    observer = Locked(recorder)
    self.controller = Locked(controller)
    object = Locked(circle)
    middle = Locked(point)
    actor = Locked(follower)
    lives = AsyncLives(
      observer: Weak(recorder), controller: Weak(controller), object: Weak(circle), middle: Weak(point),
      actor: Weak(follower))
  }

  func begin() async {
    guard let current = controller.current, let circle = object.current, let follower = actor.current else { return }
    // A controller can be used on any thread.
    nonisolated(unsafe) let controller = current
    await follower.follow(circle, with: controller) { [weak self] in self?.receive(.actor, $0) }
    let changes = controller.changes(of: circle, \.radius)
    let values = controller.values(of: circle, \.center?.x)
    tasks.withLock { tasks in
      tasks = [
        Task { [weak self] in for await change in changes { self?.receive(.task, change.newValue) } },
        Task { [weak self] in for await value in values { self?.receive(.path, value) } },
      ]
    }
  }

  /// The changes that a source has received so far.
  func received(by source: Source) -> [Int?] { received.current[source] ?? [] }

  /// Ends a participant in the next call of a source.
  func arm(_ source: Source, _ role: Role) {
    armed.withLock { $0 = (source, role) }
  }

  /// Whether no participant is waiting to be ended.
  var isDisarmed: Bool { armed.withLock { $0 == nil } }

  private func receive(_ source: Source, _ value: Int?) {
    received.withLock { $0[source, default: []].append(value) }
    guard let (armedSource, role) = armed.current, armedSource == source else { return }
    end(role)
    armed.withLock { $0 = nil }
  }

  func end(_ role: Role) {
    switch role {
    case .observer: _ = observer.take()
    case .controller: _ = controller.take()
    case .object: _ = object.take()
    case .middle:
      _ = middle.take()
      if lives.object.object?.center != nil { lives.object.object?.center = nil }
    case .task: for task in tasks.current { task.cancel() }
    case .actor: _ = actor.take()
    }
  }

  /// Waits until the tasks have ended.
  func wait() async {
    for task in tasks.current { await task.value }
  }
}

struct AsyncLives {
  let observer: Weak<Recorder>
  let controller: Weak<KVOController>
  let object: Weak<Circle>
  let middle: Weak<Point>
  let actor: Weak<AsyncCast.Follower>

  var living: Set<AsyncCast.Role> {
    rolesAlive([
      .observer: observer.isAlive, .controller: controller.isAlive, .object: object.isAlive, .middle: middle.isAlive,
      .actor: actor.isAlive,
    ])
  }
}
