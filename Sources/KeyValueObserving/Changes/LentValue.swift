#if !canImport(ObjectiveC)
/// The value of a property before or after a change, where it lies: lent by the setter for the time of the change.
///
/// So no box is made for a value that nobody wants as an `Any`. This is sound because the address is that of an
/// ``Observed`` of the field's type in the setter's own frame, which stays until all have heard of the change, and
/// because the ``KeyValueChange`` that tells of it can't be copied: who wants to keep the value takes it out.
@usableFromInline
package struct LentValue {
  @usableFromInline let address: UnsafeRawPointer
  /// The property's field, which lives as long as the process.
  private let field: Unmanaged<ObservedField>
  /// The property's type; nil if a value that is there may yet be an Optional.
  @usableFromInline let exactType: Any.Type?

  @inline(__always)
  init(_ address: UnsafeRawPointer, of field: Unmanaged<ObservedField>) {
    self.address = address
    self.field = field
    exactType = field._withUnsafeGuaranteedRef { $0.mayHideNil ? nil : $0.valueType }
  }

  /// The value, nil for nil; an Optional is given unwrapped.
  var any: Any? { field._withUnsafeGuaranteedRef { $0.value(at: address) } }

  /// The value, if the property is of just this type.
  @inlinable
  func exactly<Value>(_ type: Value.Type) -> Value? {
    guard exactType == type else { return nil }
    return address.assumingMemoryBound(to: Observed<Value>.self).pointee.value
  }

  /// The value as an Optional, if the property is of the type that this wraps.
  @inlinable
  func wrapped<Value>(in type: Value.Type) -> Value? {
    guard isWrapped(in: type) else { return nil }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { wrapped in
      wrap(into: wrapped.baseAddress!)
      return wrapped.moveElement(from: 0)
    }
  }

  @usableFromInline
  func isWrapped(in type: Any.Type) -> Bool {
    field._withUnsafeGuaranteedRef { $0.optionalType == type && !$0.mayHideNil }
  }

  @usableFromInline
  func wrap(into address: UnsafeMutableRawPointer) {
    field._withUnsafeGuaranteedRef { $0.wrap(self.address, address) }
  }
}
#endif
