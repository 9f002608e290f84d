#if canImport(ObjectiveC)
extension ObservedPath {
  /// Whether a path of the same name leads to the same properties of the objects that are on it now. Foundation finds
  /// properties by name only.
  package func isSame(as other: ObservedPath?, at root: KeyValueObservable) -> Bool { true }
}
#endif
