/// `value`, which isn't an Optional, as an object that can be observed; nil if it can't be.
///
/// It checks the type before it casts: a cast alone would turn a number or a string into an object on Apple platforms, and
/// on other platforms copy a Swift collection into one of Foundation's before it fails.
func observableObject(_ value: Any) -> KeyValueObservable? {
  type(of: value) is KeyValueObservable.Type ? unsafeDowncast(value as AnyObject, to: KeyValueObservable.self) : nil
}

extension Array where Element: KeyValueObservable {
  /// Calls `body` with the identities of the objects, in order, without retaining any of them.
  ///
  /// An array of objects of a class holds one reference each, and an identity is the address that the reference consists
  /// of. Generic code that asks each object for its identity takes a hundred times as long.
  func withIdentities<Result>(_ body: (UnsafeBufferPointer<ObjectIdentifier>) -> Result) -> Result {
    withUnsafeBytes { $0.withMemoryRebound(to: ObjectIdentifier.self, body) }
  }
}

/// A value that is passed by reference, because it is large, and usually isn't there.
@usableFromInline
final class Box<Value> {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension Box: Sendable where Value: Sendable {}
