/// A value that is passed by reference, because it is large, and usually isn't there.
@usableFromInline
package final class Box<Value> {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

extension Box: Sendable where Value: Sendable {}
