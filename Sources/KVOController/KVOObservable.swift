#if canImport(Observation)
import Observation

/// An object that Key-Value Observing can observe, for SwiftUI and `withObservationTracking`.
///
/// Wrap an object whose class isn't yours to change, and read its properties through the wrapper:
///
///     struct PlayerView: View {
///       @State private var player = KVOObservable(AVPlayer())
///
///       var body: some View {
///         Text(player.rate == 0 ? "Paused" : "Playing")
///       }
///     }
///
/// Properties read and write through to ``object``, which the wrapper retains. A property that is read under tracking
/// is observed from then on, and each change of it notifies, on the thread that makes it. The observation ends with the
/// wrapper, or with a change after which the property isn't tracked any longer.
///
/// `player.currentItem?.status` tracks `currentItem` only. To track every object on the way, read the whole key path:
/// `player[dynamicMember: \.currentItem?.status]`.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
@dynamicMemberLookup
public final class KVOObservable<Object: KeyValueObservable>: Observable {
  /// The object that the wrapper reads and writes.
  public let object: Object

  private let keyPaths = TrackedKeyPaths()
  private let controller: KVOController

  /// Creates a wrapper, which observes nothing yet.
  public init(_ object: Object) {
    self.object = object
    controller = KVOController(observer: keyPaths, retainObserved: true)
  }

  /// The value at a key path of the object. Reading it is tracked, unless the key path can't be observed: then debug
  /// builds print a message once.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Object, Value>) -> Value {
    access(keyPath)
    return object[keyPath: keyPath]
  }

  /// The value at a writable key path of the object. Reading it is tracked; writing it notifies as the property itself
  /// does.
  public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Object, Value>) -> Value {
    get {
      access(keyPath)
      return object[keyPath: keyPath]
    }
    set { object[keyPath: keyPath] = newValue }
    _modify {
      access(keyPath)
      yield &object[keyPath: keyPath]
    }
  }

  private func access<Value>(_ keyPath: KeyPath<Object, Value>) {
    // Nothing is kept of other reads.
    guard keyPaths.areReadsTracked else { return }
    guard let path = ObservedPath.found(keyPath, of: object) else {
      return DebugNotice.send(about: ObservedPath.description(of: keyPath)) {
        "KVOObservable doesn't track \(ObservedPath.description(of: keyPath)) of <\(debugName(of: object))>, because it can't be "
          + "observed. Views that read it aren't updated when it changes."
      }
    }
    let hash = keyPath.hashValue
    let tracked = keyPaths.key(keyPath, hash: hash)
    let identifier = ObjectIdentifier(tracked)
    tracked.access {
      // An observation that is ending on another thread must not be taken for this one.
      let request = Request(path: path, options: .prior, identity: .unique, destination: .threadOfChange) {
        tracked.report($1)
      }
      // What the handler captures is Sendable, so the observation may end on any thread.
      nonisolated(unsafe) let observation = controller.observation(of: object, request)
      return { [weak keyPaths] in
        observation.invalidate()
        keyPaths?.remove(identifier, hash: hash)
      }
    }
    if !tracked.isInUse { keyPaths.remove(identifier, hash: hash) }
  }
}

/// The key paths of an object that are tracked through its wrapper.
///
/// - Thread safety: The entries are guarded by the lock. Key paths are compared and hashed without it, since their arguments
///   bring their own `==` and `hash(into:)`.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
private final class TrackedKeyPaths: Sendable {
  private typealias Entry = (keyPath: AnyKeyPath, tracked: ObservationKey)

  /// The entries by the hashes of their key paths.
  private let entries = LockedState<[Int: [Entry]]>([:])
  private let anyRead = ObservationKey()

  /// Whether what this thread reads is tracked by Observation.
  var areReadsTracked: Bool { anyRead.isReadTracked() }

  /// Removes a key path that isn't observed any longer. If another thread is reading it, that observes it once more.
  func remove(_ tracked: ObjectIdentifier, hash: Int) {
    let removed = entries.withLock { entries in
      let former = entries[hash]
      let left = former?.filter { ObjectIdentifier($0.tracked) != tracked } ?? []
      entries[hash] = left.isEmpty ? nil : left
      return former
    }
    withExtendedLifetime(removed) {}
  }

  /// What stands for a key path in Observation. Threads that ask for it at once may get one each, which makes no difference.
  func key(_ keyPath: AnyKeyPath, hash: Int) -> ObservationKey {
    let known = entries.withLock { $0[hash] } ?? []
    if let found = known.first(where: { $0.keyPath == keyPath }) { return found.tracked }
    let made = ObservationKey()
    entries.withLock { $0[hash, default: []].append((keyPath, made)) }
    return made
  }
}
#endif
