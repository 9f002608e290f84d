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
