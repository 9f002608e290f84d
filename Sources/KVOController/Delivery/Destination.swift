/// Where the changes of an observation are delivered.
///
/// - Thread safety: Immutable.
enum Destination: @unchecked Sendable {
  case threadOfChange
  case mainActor
  /// The actor is weak, because an actor that observes usually retains its observations.
  case actor(Box<@Sendable () -> (any Actor)?>)
  /// On threads that make changes, one at a time. What ends the sequence is called once, after the last change was delivered.
  case sequence(end: Box<@Sendable () -> Void>)

  init(_ isolation: (any Actor)?) {
    func weak(_ actor: some Actor) -> @Sendable () -> (any Actor)? {
      let actor = Weak(actor)
      return { actor.object }
    }
    self = isolation.map { $0 is MainActor ? .mainActor : .actor(Box(weak($0))) } ?? .threadOfChange
  }

  /// The actor, if there is one, and it isn't deallocated.
  var actor: (any Actor)? {
    switch self {
    case .mainActor: MainActor.shared
    case .actor(let actor): actor.value()
    case .threadOfChange, .sequence: nil
    }
  }

  /// Whether the running code is on the actor, if there is one.
  var isCurrent: Bool {
    if case .mainActor = self { return MainQueue.isCurrent }
    return actor.map { isOnExecutor(of: $0) } ?? false
  }

  /// Whether changes aren't delivered on the thread that makes them.
  var isElsewhere: Bool { if case .threadOfChange = self { false } else { true } }

  var isSequence: Bool { if case .sequence = self { true } else { false } }
}
