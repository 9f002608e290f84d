/// A key path that is observed: its name, and how the engine finds what it depends on.
package struct ObservedPath {
  /// The keys, joined by dots. A path through what has no key is named by Swift's description of it.
  package let name: String

  /// Reads the value at the end of the path, if what it depends on is found only by reading; nil if the name tells.
  let read: ((KeyValueObject) -> Any?)?

  package init(_ name: String) {
    self.name = name
    read = nil
  }

  init(_ name: String, read: @escaping (KeyValueObject) -> Any?) {
    self.name = name
    self.read = read
  }
}
