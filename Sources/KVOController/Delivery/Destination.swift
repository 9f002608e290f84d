import Foundation

/// Where the changes of an observation are delivered.
///
/// - Thread safety: Immutable. A dispatch queue can be used on any thread, although older SDKs don't say so.
enum Destination: @unchecked Sendable {
  case threadOfChange
  case mainActor
  case actor(WeakActor)
  case dispatchQueue(DispatchQueue)
  /// On threads that make changes, one at a time.
  case sequence(SequenceEnd)

  init(_ isolation: (any Actor)?) {
    guard let isolation else {
      self = .threadOfChange
      return
    }
    self = isolation is MainActor ? .mainActor : .actor(.of(isolation))
  }

  init(_ queue: DispatchQueue?) {
    self = queue.map { .dispatchQueue($0) } ?? .threadOfChange
  }

  /// The actor, if there is one, and it isn't deallocated.
  var actor: (any Actor)? {
    switch self {
    case .mainActor: MainActor.shared
    case .actor(let weakActor): weakActor.actor
    case .threadOfChange, .dispatchQueue, .sequence: nil
    }
  }

  /// Whether the running code is on the actor, if there is one.
  var isCurrent: Bool {
    switch self {
    case .mainActor: MainQueue.isCurrent
    case .actor(let weakActor): weakActor.actor.map { isOnExecutor(of: $0) } ?? false
    case .threadOfChange, .dispatchQueue, .sequence: false
    }
  }

  /// Whether changes aren't delivered on the thread that makes them.
  var isElsewhere: Bool { if case .threadOfChange = self { false } else { true } }

  var isSequence: Bool { if case .sequence = self { true } else { false } }
}

/// An actor, which is weak, because an actor that observes usually retains its observations.
class WeakActor: @unchecked Sendable {
  fileprivate let reference: WeakReference

  fileprivate init(_ actor: some Actor) { reference = WeakReference(actor) }

  static func of<A: Actor>(_ actor: A) -> WeakActor { WeakActorOfType<A>(actor) }

  var actor: (any Actor)? { nil }
}

private final class WeakActorOfType<A: Actor>: WeakActor, @unchecked Sendable {
  override var actor: (any Actor)? { reference.object.map { unsafeDowncast($0, to: A.self) } }
}

/// What ends a sequence. It is called once, after the last change was delivered.
final class SequenceEnd: Sendable {
  let finish: @Sendable () -> Void

  init(_ finish: @escaping @Sendable () -> Void) {
    self.finish = finish
  }
}
