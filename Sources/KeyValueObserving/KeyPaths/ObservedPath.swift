/// A key path that is observed: its name, and how the engine finds what it depends on.
@usableFromInline
package struct ObservedPath {
  /// The keys, joined by dots. A path through what has no key is named by Swift's description of it, and so is one that
  /// met nil before its keys could be told.
  package let name: String

  /// Reads the value at the end of the path, if what it depends on is found only by reading; nil if the name tells.
  let read: ((KeyValueObject) -> Any?)?

  /// Finds the path's name by its keys once they can be told, if they couldn't yet.
  private let pending: Pending?

  struct Pending {
    /// The name, if somebody has found it.
    let known: () -> String?
    /// The name as far as it can be told now, by reading the path.
    let find: (KeyValueObservable) -> String?
  }

  package init(_ name: String) {
    self.name = name
    read = nil
    pending = nil
  }

  init(_ name: String, pending: Pending?, read: @escaping (KeyValueObject) -> Any?) {
    self.name = name
    self.pending = pending
    self.read = read
  }

  /// Whether the keys of the path couldn't be told when it was first read, because it met nil.
  package var isIncomplete: Bool { pending != nil }

  /// The name that the path has by now.
  package var currentName: String { pending?.known() ?? name }

  /// The name of the path from `object`, which is found out if it wasn't known yet.
  package func name(at object: KeyValueObservable) -> String { pending?.find(object) ?? name }
}
