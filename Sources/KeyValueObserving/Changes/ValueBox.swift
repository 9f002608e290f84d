/// A value of whatever type, in a box that is passed on by reference.
@usableFromInline
package final class ValueBox {
  package let value: Any

  init(_ value: Any) {
    self.value = value
  }
}
