/// The value of a property before or after a change, in place, so that a value that isn't used as an `Any` isn't boxed.
///
/// The address is that of a value of the field's type, or of a ``ChangedValue``, in a frame that exists until the observer was
/// notified. The ``KeyValueChange`` that contains it can't be copied: to store the value, it must be read.
@usableFromInline
struct BorrowedValue {
  /// The address; nil if the value wasn't requested.
  @usableFromInline let address: UnsafeRawPointer?
  /// The property's field, which is never deallocated; nil at the address of a `ChangedValue`.
  @usableFromInline let field: Unmanaged<ObservedField>?

  static var notRequested: BorrowedValue { BorrowedValue(address: nil, field: nil) }

  var isRequested: Bool { address != nil }

  /// The value in a change dictionary, if it was requested.
  var object: Any {
    guard let address else { return NSNull() }
    guard let field else { return address.assumingMemoryBound(to: ChangedValue.self).pointee.object }
    return field.takeUnretainedValue().value(at: address) ?? NSNull()
  }

  /// The same value, without a reference to the frame that lends it.
  @usableFromInline
  var kept: ChangedValue {
    guard let address else { return .notRequested }
    guard let field else { return address.assumingMemoryBound(to: ChangedValue.self).pointee }
    return ChangedValue(field.takeUnretainedValue().value(at: address))
  }

  /// The value as a `Value`, where nil is `.some(nil)` if `Value` is an Optional. Returns nil if there is no value, or
  /// if it can't be converted.
  ///
  /// Where the compiler knows the type, it removes all cases but one.
  @inlinable
  @inline(__always)
  func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    guard let address else { return nil }
    if let exactType {
      if exactType == type { return address.assumingMemoryBound(to: Value.self).pointee }
      // The end of a path through an Optional.
      if let optional = type as? any OptionalValue.Type, optional.wrappedType == exactType {
        return wrapped(at: address, in: optional)
      }
    } else if field == nil, case .value(let value) = address.assumingMemoryBound(to: ChangedValue.self).pointee,
      let exact: Value = exactly(value)
    {
      return exact
    }
    return kept.typed(as: type)
  }

  @inlinable
  @inline(__always)
  func wrapped<Optional: OptionalValue, Value>(at address: UnsafeRawPointer, in type: Optional.Type) -> Value? {
    type.wrap(at: address) as? Value
  }

  /// The type of the value at the address, if it is that of a property that can't be nil in several ways.
  @inlinable var exactType: Any.Type? { field?._withUnsafeGuaranteedRef { $0.exactType } }
}

extension BorrowedValue {
  init(_ value: UnsafePointer<ChangedValue>) {
    self.init(address: value.pointee.isRequested ? UnsafeRawPointer(value) : nil, field: nil)
  }
}
