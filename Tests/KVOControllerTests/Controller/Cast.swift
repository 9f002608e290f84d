import KVOController
import _KVOTestSupport

/// All participants in an observation, each of which may end at any time.
final class Cast: @unchecked Sendable {
  enum Role: CaseIterable, Sendable {
    case observer, controller, token, object, middle

    static let orders = permutations(of: Role.allCases)
  }

  /// How the observation is made.
  enum Way: CaseIterable, Sendable {
    case block, typed, typedWithObserver, action, context, raw

    /// Whether a token ends the observation.
    var hasToken: Bool { self == .typed || self == .typedWithObserver }
    /// Whether a path through a weak reference is observed too, which a typed key path can't name.
    var hasPath: Bool { !hasToken }
  }

  /// The time at which a participant ends: between changes, or in a handler, its own or that of another observer.
  enum Moment: CaseIterable, Sendable {
    case between, priorCallOfAnother, ownCall
  }

  let way: Way
  private(set) var observer: Recorder?
  private(set) var controller: KVOController?
  private(set) var tokens: [KVOObservation] = []
  private(set) var object: Circle?
  private(set) var middle: Point?
  /// Runs inside each call of the observer.
  var whenCalled: () -> Void = {}
  private(set) var calls = 0

  init(_ way: Way, retainObserved: Bool, _ census: Census) {
    let recorder = Recorder()
    let circle = Circle(resident: Resident(census))
    let point = Point()
    circle.anchor = point
    let controller = KVOController(observer: recorder, retainObserved: retainObserved)
    self.way = way
    (observer, self.controller, object, middle) = (recorder, controller, circle, point)
    observe(circle, recorder, controller, Resident(census))
  }

  /// Observes a key, and a path where it can be named.
  private func observe(_ circle: Circle, _ recorder: Recorder, _ controller: KVOController, _ resident: Resident) {
    let call: () -> Void = { [weak self] in
      resident.stay()
      self?.calls += 1
      self?.whenCalled()
    }
    switch way {
    case .block:
      controller.observe(circle, keyPath: "radius", options: [.old, .new]) { _, _, _ in call() }
      controller.observe(circle, keyPath: "anchor.x", options: [.old, .new]) { _, _, _ in call() }
    case .typed:
      tokens = [controller.observe(circle, \.radius) { _, _ in call() }]
    case .typedWithObserver:
      tokens = [controller.observe(circle, \.radius) { (_: Recorder, _, _) in call() }]
    case .action:
      recorder.whenCalled = { _, _ in call() }
      for keyPath in ["radius", "anchor.x"] {
        controller.observe(circle, keyPath: keyPath, options: [.old, .new], action: Recorder.redraw)
      }
    case .context:
      recorder.whenCalled = { _, _ in call() }
      controller.observe(circle, keyPaths: ["radius", "anchor.x"], options: [.old, .new], context: nil)
    case .raw:
      recorder.whenCalled = { _, _ in call() }
      recorder.register(with: circle, "radius", [.old, .new])
      recorder.register(with: circle, "anchor.x", [.old, .new])
    }
  }

  func end(_ role: Role) {
    switch role {
    case .observer: observer = nil
    case .controller: controller = nil
    case .token:
      for token in tokens { token.invalidate() }
      tokens = []
    case .object: object = nil
    case .middle: middle = nil
    }
  }
}

/// The participants that are alive, and those that should be.
struct CastLives {
  let observer: Weak<Recorder>
  let controller: Weak<KVOController>
  let object: Weak<Circle>
  let middle: Weak<Point>
  private let way: Cast.Way
  private let isRetaining: Bool
  private var left: Set<Cast.Role> = []

  init(_ cast: Cast, retainObserved: Bool) {
    observer = Weak(cast.observer)
    controller = Weak(cast.controller)
    object = Weak(cast.object)
    middle = Weak(cast.middle)
    way = cast.way
    isRetaining = retainObserved && cast.way != .raw
  }

  mutating func leave(_ role: Cast.Role) {
    left.insert(role)
  }

  /// Whether the observation is active, regardless of its object.
  private var isStanding: Bool {
    let hasEnded = left.contains(.token) && way.hasToken
    return !hasEnded && (!left.contains(.controller) || way == .raw)
  }

  var expected: Set<Cast.Role> {
    var living = Set(Cast.Role.allCases).subtracting(left).subtracting([.token])
    if isRetaining && isStanding { living.insert(.object) }
    return living
  }

  var living: Set<Cast.Role> {
    rolesAlive([
      .observer: observer.isAlive, .controller: controller.isAlive, .object: object.isAlive, .middle: middle.isAlive,
    ])
  }

  /// Whether the observer is to be called for a change of the object.
  var isNotified: Bool { isStanding && expected.isSuperset(of: [.observer, .object]) }

  /// Whether it is to be called for a change of the object on the path.
  var isPathNotified: Bool { isNotified && way.hasPath && expected.contains(.middle) }
}
