/// A value that is passed by reference, because it is large, and usually isn't there.
@usableFromInline
final class Box<Value> {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension Box: Sendable where Value: Sendable {}
