#if !canImport(ObjectiveC)
/// The value of a property before or after a change, in place: the setter lends it for the duration of the change.
///
/// So a value that isn't used as an `Any` isn't boxed. This is sound because the address is that of an ``Observed`` of
/// the field's type in the setter's own frame, which exists until all observers are notified, and because the
/// ``KeyValueChange`` that contains it can't be copied: to store the value, it must be read.
@usableFromInline
package struct LentValue {
  @usableFromInline let address: UnsafeRawPointer
  /// The property's field, which is never deallocated.
  private let field: Unmanaged<ObservedField>
  /// The property's type; nil if a value that isn't nil may contain a nested Optional.
  @usableFromInline let exactType: Any.Type?

  @inline(__always)
  init(_ address: UnsafeRawPointer, of field: Unmanaged<ObservedField>) {
    self.address = address
    self.field = field
    exactType = field._withUnsafeGuaranteedRef { $0.mayHideNil ? nil : $0.valueType }
  }

  /// The value, unwrapped, or nil.
  var any: Any? { field._withUnsafeGuaranteedRef { $0.value(at: address) } }

  /// The value, if the property is of exactly this type.
  @inlinable
  func exactly<Value>(_ type: Value.Type) -> Value? {
    guard exactType == type else { return nil }
    return address.assumingMemoryBound(to: Observed<Value>.self).pointee.value
  }

  /// The value as an Optional, if the property is of the wrapped type.
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
