#if !canImport(ObjectiveC)
import Synchronization
#endif

/// A key path that is observed: its name, and how the engine finds what it depends on.
@usableFromInline
package final class ObservedPath: Sendable {
  /// The keys, joined by dots. A path through what has no key is called by a text that no other path of the class has,
  /// and so is one that met nil before its keys could be told.
  package let name: String

  /// Reads the value at the end of the path, if what it depends on is found only by reading; nil if the name tells.
  let read: (@Sendable (KeyValueObject) -> Any?)?

  /// Finds the path's keys once they can be told, if they couldn't yet.
  private let pending: PendingName?

  #if !canImport(ObjectiveC)
  /// The keys; none if the path has no name.
  let keys: [KeyName]
  private let firstKey = AtomicLazyReference<Key>()
  /// Whether the name is that of a key, and not of several joined by dots.
  var isOneKey: Bool { keys.count == 1 }
  #endif

  init(_ name: String) {
    self.name = name
    read = nil
    pending = nil
    #if !canImport(ObjectiveC)
    keys = SplitKeyPath(name).all.map(KeyName.init)
    #endif
  }

  init(_ text: String, pending: PendingName?, read: @escaping @Sendable (KeyValueObject) -> Any?) {
    name = text
    self.pending = pending
    self.read = read
    #if !canImport(ObjectiveC)
    keys = []
    #endif
  }

  /// Whether the name leads to the value, as Foundation needs it.
  package var isNamed: Bool { read == nil }

  /// Whether the keys of the path couldn't be told when it was first read, because it met nil.
  package var isIncomplete: Bool { pending != nil }

  /// The path by its name; nil if it has none, or its keys can't be told yet.
  var named: ObservedPath? { read == nil ? self : pending?.current }

  /// The name that the path has by now.
  package var currentName: String { named?.name ?? name }

  /// The name of the path from `object`, which is found out if it wasn't known yet.
  package func name(at object: KeyValueObservable) -> String {
    guard let pending else { return name }
    if pending.current == nil { pending.learn(object) }
    return currentName
  }
}

/// The name of a path that met nil, which is found when the properties behind it are known.
///
/// - Thread safety: The name stands under a lock.
final class PendingName: @unchecked Sendable {
  private let find: @Sendable () -> ObservedPath?
  /// Reads the path, so that all that is read becomes known.
  let learn: @Sendable (KeyValueObservable) -> Void
  private let lock = UnfairLock()
  private var path: ObservedPath?

  init(find: @escaping @Sendable () -> ObservedPath?, learn: @escaping @Sendable (KeyValueObservable) -> Void) {
    self.find = find
    self.learn = learn
  }

  /// The path by its name, if that can be told.
  var current: ObservedPath? {
    if let path = lock.withLock({ path }) { return path }
    guard let found = find() else { return nil }
    return lock.withLock {
      path = path ?? found
      return path
    }
  }
}

#if !canImport(ObjectiveC)
extension ObservedPath {
  /// The path of that name from objects of the class of `object`.
  package static func named(_ name: String, of object: KeyValueObject) -> ObservedPath {
    ClassKeyPaths.of(object.properties).path(named: name)
  }

  /// The value at the end of the path, as observers get it; nil if the path can't be followed to its end.
  package func value(of root: KeyValueObject) -> Any? {
    if let read { return read(root) }
    if isOneKey { return firstKey(in: ClassKeys.of(root)).value(of: root) }
    return Self.value(of: keys, from: root)
  }

  /// The value at the end of `path` as observers get it: `@Observed` keys are read from their properties.
  static func value(of path: [KeyName], from root: KeyValueObject) -> Any? {
    var object = root
    for (index, component) in path.enumerated() {
      let keys = object.slot.borrowedInfo?._withUnsafeGuaranteedRef { $0.keys } ?? ClassKeys.of(object)
      let key = keys.key(component)
      let isLast = index == path.count - 1
      if !isLast, let next = key.object(of: object) {
        guard let next else { return nil }
        object = next
        continue
      }
      guard let value = key.value(of: object) else { return nil }
      if isLast { return value }
      guard let next = keyValueObject(value) else {
        return KeyPathReader.value(path[(index + 1)...].map(\.text)[...], of: value)
      }
      object = next
    }
    return root
  }

  /// The path's first key, in the class to which both belong.
  func firstKey(in keys: ClassKeys) -> Key {
    firstKey.load() ?? firstKey.storeIfNil(keys.key(self.keys[0]))
  }
}
#endif
