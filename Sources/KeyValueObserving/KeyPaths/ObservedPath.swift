#if !canImport(ObjectiveC)
import Synchronization
#endif

/// An observed key path: its name, and how the engine finds what it depends on.
///
/// Where Foundation has no Key-Value Observing, it is never deallocated: ``ClassKeyPaths`` or ``PendingName`` keeps it.
@usableFromInline
package final class ObservedPath: Sendable {
  /// The keys, joined by dots. For a path with a component without a key, or whose keys weren't known because a step
  /// was nil, it is a text that is unique within the class.
  @usableFromInline package let name: String

  /// Reads the value at the end of a path that must be followed by reading it; nil if the path has a name.
  let read: (@Sendable (KeyValueObservable) -> Any?)?

  /// The keys with which the path begins, as far as they are known now, if reading doesn't find all of them.
  private let beginning: (@Sendable () -> [HashedKey])?

  /// Finds the name of a path whose keys weren't known yet.
  @usableFromInline let pending: PendingName?

  #if !canImport(ObjectiveC)
  /// The keys; none if the path has no name.
  let keys: [HashedKey]
  /// The address of the first key, which is never deallocated; 0 until the key is found.
  let firstKeyAddress = Atomic<UInt>(0)
  /// Whether the name consists of one key.
  var isOneKey: Bool { keys.count == 1 }
  #endif

  init(_ name: String) {
    self.name = name
    read = nil
    beginning = nil
    pending = nil
    #if !canImport(ObjectiveC)
    keys = SplitKeyPath(name).all.map { HashedKey($0) }
    #endif
  }

  init(_ names: [HashedKey]) {
    name = names.map(\.text).joined(separator: ".")
    read = nil
    beginning = nil
    pending = nil
    #if !canImport(ObjectiveC)
    keys = names
    #endif
  }

  init(
    _ text: String, pending: PendingName?, beginning: (@Sendable () -> [HashedKey])?,
    read: @escaping @Sendable (KeyValueObservable) -> Any?
  ) {
    name = text
    self.pending = pending
    self.beginning = beginning
    self.read = read
    #if !canImport(ObjectiveC)
    keys = []
    #endif
  }

  /// Whether the value can be read by the name, as Foundation requires.
  package var isNamed: Bool { read == nil }

  /// The keys with which a path without a name begins that reading it doesn't find. They may be some that it does find.
  var keysBesidesReads: [HashedKey] { beginning?() ?? [] }

  /// Whether the path's keys weren't known when it was first read, because a step was nil.
  @inlinable package var isIncomplete: Bool { pending != nil }

  /// The path by its name; nil if it has none, or if its keys aren't known yet.
  var named: ObservedPath? { read == nil ? self : pending?.current }

  /// The current name of the path.
  package var currentName: String { named?.name ?? name }

  /// The name of the path from `object`. If it isn't known yet, the path is read to find it.
  package func name(at object: KeyValueObservable) -> String {
    guard let pending else { return name }
    if pending.current == nil { pending.learn(object) }
    return currentName
  }
}

/// The name of a path with a nil step, which is found when the properties after that step are known.
///
/// - Thread safety: The name is guarded by a lock.
@usableFromInline
final class PendingName: @unchecked Sendable {
  private let find: @Sendable () -> ObservedPath?
  /// Reads the path, so that the properties that are read become known.
  let learn: @Sendable (KeyValueObservable) -> Void
  private let lock = Lock()
  private var path: ObservedPath?

  init(find: @escaping @Sendable () -> ObservedPath?, learn: @escaping @Sendable (KeyValueObservable) -> Void) {
    self.find = find
    self.learn = learn
  }

  /// The path by its name, if that is known.
  var current: ObservedPath? {
    if let path = lock.withLock({ path }) { return path }
    guard let found = find() else { return nil }
    return lock.withLock {
      path = path ?? found
      return path
    }
  }
}
