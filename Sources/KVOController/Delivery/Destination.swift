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

/// A weak reference to an actor: one that observes usually retains its observations.
class WeakActor: @unchecked Sendable {
  // Immutable.
  private let reference: WeakReference
  let isMain: Bool

  /// Of the main actor there is one.
  private static let main: WeakActor = WeakActorOfType<MainActor>(MainActor.shared)

  static func to<Type: Actor>(_ actor: Type) -> WeakActor {
    actor is MainActor ? main : WeakActorOfType<Type>(actor)
  }

  /// The actor's identity, which no other one gets as long as this is there.
  var identity: ObjectIdentifier? { reference.identity }

  fileprivate init(_ actor: some Actor) {
    reference = WeakReference(actor)
    isMain = actor is MainActor
  }

  /// The actor, if it isn't deallocated.
  var object: (any Actor)? { nil }

  fileprivate var anyObject: AnyObject? { reference.object }

  /// Whether it is that one, which the caller retains, and not one at its address before. So it is allowed with a lock.
  func refers(to actor: any Actor) -> Bool { reference.refers(to: actor) }

  /// Whether the running code is on the actor.
  @inline(__always)
  final var isCurrent: Bool { isMain ? MainQueue.isCurrent : isCurrentOfOthers }

  @inline(never)
  private final var isCurrentOfOthers: Bool { object.map { isOnExecutor(of: $0) } ?? false }
}

private final class WeakActorOfType<Type: Actor>: WeakActor, @unchecked Sendable {
  override var object: (any Actor)? { anyObject.map { unsafeDowncast($0, to: Type.self) } }
}
