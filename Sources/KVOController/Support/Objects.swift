/// `value`, which isn't an Optional, as an object that can be observed; nil if it can't be. It checks the type, because
/// a cast would turn a number or a string into an object on Apple platforms, and copy a Swift collection on other
/// platforms. The load is sound, because a value whose type is the class or a subclass of it is a reference to such an
/// object.
func observableObject(_ value: Any) -> KeyValueObservable? {
  func open<Value>(_ value: Value) -> KeyValueObservable? {
    if Value.self is KeyValueObservable.Type {
      return withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: KeyValueObservable.self) }
    }
    // The static type may be a superclass, of which Swift 6.3's optimizer makes the dynamic type, or `Any`.
    if Value.self is AnyObject.Type { return value as? KeyValueObservable }
    return Swift.type(of: value as Any) is KeyValueObservable.Type ? value as? KeyValueObservable : nil
  }
  return open(value)
}

extension NSValue {
  /// The structure of C that this contains, of a type that Swift doesn't bridge; nil if that isn't certain.
  ///
  /// Its bytes are a value of the type, because that is trivial, imported, and of the same size and alignment.
  func structure<Value>(as type: Value.Type) -> Value? {
    guard _isPOD(type), _typeName(type).hasPrefix("__C."), let layout,
      layout == (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
    else { return nil }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      memory.baseAddress.map {
        getValue($0)
        return $0.move()
      }
    }
  }
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

/// The numbers of elements with which two collections begin and end alike; none counts for both.
func lengthsInCommon<Left: RandomAccessCollection, Right: RandomAccessCollection>(
  _ left: Left, _ right: Right
) -> (start: Int, end: Int)
where Left.Element: Equatable, Right.Element == Left.Element, Left.Index == Int, Right.Index == Int {
  let shorter = min(left.count, right.count)
  var (start, end) = (0, 0)
  while start < shorter, left[left.startIndex + start] == right[right.startIndex + start] { start += 1 }
  while end < shorter - start, left[left.endIndex - 1 - end] == right[right.endIndex - 1 - end] { end += 1 }
  return (start, end)
}

extension Optional {
  /// The value, which isn't here any longer. The standard library's `take()` isn't in older SDKs.
  mutating func takeOut() -> Wrapped? {
    defer { self = nil }
    return self
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
