/// Where the changes of an observation are delivered.
///
/// - Thread safety: Immutable.
enum Destination: Sendable {
  case threadOfChange
  case actor(WeakActor)
  /// On threads that make changes, one at a time. What ends the sequence is called once, after the last change was delivered.
  case sequence(end: Box<@Sendable () -> Void>)

  init(_ isolation: (any Actor)?) { self = isolation.map { .actor(.to($0)) } ?? .threadOfChange }

  /// Whether the running code is on the actor, if there is one.
  var isCurrent: Bool { if case .actor(let actor) = self { actor.isCurrent } else { false } }

  /// Whether changes that are made here aren't delivered on the thread that makes them.
  var isElsewhere: Bool { if case .threadOfChange = self { false } else { !isCurrent } }

  /// Whether both are the same actor.
  func isSame(as other: Destination) -> Bool {
    if case (.actor(let actor), .actor(let other)) = (self, other) { actor.identity == other.identity } else { false }
  }

  var isActor: Bool { if case .actor = self { true } else { false } }

  var isSequence: Bool { if case .sequence = self { true } else { false } }
}
