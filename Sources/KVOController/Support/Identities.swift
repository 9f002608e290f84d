extension Array where Element: KeyValueObservable {
  /// Calls `body` with the identities of the objects, in order, without retaining any of them.
  ///
  /// An array of objects of a class holds one reference each, and an identity is the address that the reference consists
  /// of. Generic code that asks each object for its identity takes a hundred times as long.
  func withIdentities<Result>(_ body: (UnsafeBufferPointer<ObjectIdentifier>) -> Result) -> Result {
    withUnsafeBytes { $0.withMemoryRebound(to: ObjectIdentifier.self, body) }
  }
}
