#if !canImport(ObjectiveC)
import Synchronization
#endif

/// A key path that is observed: its name, and how the engine finds what it depends on.
@usableFromInline
package final class ObservedPath: Sendable {
  /// The keys, joined by dots. A path through what has no key is named by Swift's description of it, and so is one that
  /// met nil before its keys could be told.
  package let name: String

  /// Reads the value at the end of the path, if what it depends on is found only by reading; nil if the name tells.
  let read: (@Sendable (KeyValueObject) -> Any?)?

  /// Finds the path's name by its keys once they can be told, if they couldn't yet.
  private let pending: Pending?

  struct Pending: Sendable {
    /// The name, if somebody has found it.
    let known: @Sendable () -> String?
    /// The name as far as it can be told now, by reading the path.
    let find: @Sendable (KeyValueObservable) -> String?
  }

  #if !canImport(ObjectiveC)
  private let firstKey = AtomicLazyReference<Key>()
  /// Whether the name is that of a key, and not of several joined by dots.
  let isOneKey: Bool
  #endif

  init(_ name: String) {
    self.name = name
    read = nil
    pending = nil
    #if !canImport(ObjectiveC)
    isOneKey = !name.utf8.contains(UInt8(ascii: "."))
    #endif
  }

  init(_ name: String, pending: Pending?, read: @escaping @Sendable (KeyValueObject) -> Any?) {
    self.name = name
    self.pending = pending
    self.read = read
    #if !canImport(ObjectiveC)
    isOneKey = false
    #endif
  }

  /// Whether the name leads to the value, as Foundation needs it.
  package var isNamed: Bool { read == nil }

  /// Whether the keys of the path couldn't be told when it was first read, because it met nil.
  package var isIncomplete: Bool { pending != nil }

  /// The name that the path has by now.
  package var currentName: String { pending?.known() ?? name }

  /// The name of the path from `object`, which is found out if it wasn't known yet.
  package func name(at object: KeyValueObservable) -> String { pending?.find(object) ?? name }
}

#if !canImport(ObjectiveC)
extension ObservedPath {
  /// The path of that name from objects of the class of `object`.
  package static func named(_ name: String, of object: KeyValueObject) -> ObservedPath {
    object.properties.path(named: name)
  }

  /// The value at the end of the path, as observers get it; nil if the path can't be followed to its end.
  package func value(of root: KeyValueObject) -> Any? {
    if let read { return read(root) }
    if isOneKey { return firstKey(in: ClassKeys.of(root)).value(of: root) }
    return KeyPathReader.observedValue(SplitKeyPath(name).all.map(KeyName.init), of: root)
  }

  /// The path's first key, in the class to which both belong.
  func firstKey(in keys: ClassKeys) -> Key {
    firstKey.load() ?? firstKey.storeIfNil(keys.key(KeyName(SplitKeyPath(name).first)))
  }
}
#endif
