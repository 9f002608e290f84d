#if !canImport(ObjectiveC)
/// The value of a property before or after a change, in place: the code that notifies lends it for the duration of the
/// change.
///
/// So a value that isn't used as an `Any` isn't boxed. This is sound because the address is that of an ``Observed`` of
/// the field's type, or of a ``ChangedValue``, in a frame that exists until all observers are notified, and because the
/// ``KeyValueChange`` that contains it can't be copied: to store the value, it must be read.
@usableFromInline
package struct BorrowedValue: BitwiseCopyable {
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
    return field._withUnsafeGuaranteedRef { $0.object(address) }
  }

  /// The same value, without a reference to the frame that lends it.
  var kept: ChangedValue {
    guard let address else { return .notRequested }
    guard let field else { return address.assumingMemoryBound(to: ChangedValue.self).pointee }
    return ChangedValue(field._withUnsafeGuaranteedRef { $0.value(at: address) })
  }

  /// The value as a `Value`, where nil is `.some(nil)` if `Value` is an Optional. Returns nil if there is no value, or
  /// if it can't be converted.
  @inlinable
  @inline(__always)
  package func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    guard let address else { return nil }
    if let field, field._withUnsafeGuaranteedRef({ $0.exactType == type }) {
      return address.assumingMemoryBound(to: Observed<Value>.self).pointee.value
    }
    if _isPOD(Value.self), wrappedSize(in: type) == MemoryLayout<Value>.size - 1 {
      // As `OptionalLayout` does it, with the type known to the compiler.
      // Only bytes within its bounds are written, so no stack protector is needed.
      return _withUnprotectedUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { wrapped in
        let optional = UnsafeMutableRawPointer(wrapped.baseAddress!)
        optional.copyMemory(from: address, byteCount: MemoryLayout<Value>.size - 1)
        optional.storeBytes(of: 0, toByteOffset: MemoryLayout<Value>.size - 1, as: UInt8.self)
        return wrapped.moveElement(from: 0)
      }
    }
    return wrapped(in: type)
  }

  /// The value of a property whose type isn't `type`, but may be what that wraps, as at the end of a path through an
  /// Optional.
  @inlinable
  @inline(never)
  func wrapped<Value>(in type: Value.Type) -> Value? {
    guard let address, wrappedSize(in: type) != nil else { return converted(to: type) }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { wrapped in
      wrap(address, into: wrapped.baseAddress!)
      return wrapped.moveElement(from: 0)
    }
  }

  /// The size of the property's value, if its type is the one that this Optional wraps.
  @inlinable
  @inline(__always)
  func wrappedSize(in type: Any.Type) -> Int? {
    guard let field else { return nil }
    return field._withUnsafeGuaranteedRef { $0.optionalType == type && $0.exactType != nil ? $0.size : nil }
  }

  @usableFromInline
  func wrap(_ address: UnsafeRawPointer, into optional: UnsafeMutableRawPointer) {
    field?._withUnsafeGuaranteedRef { $0.wrap(address, optional) }
  }

  /// The value as another type than the property's.
  @usableFromInline
  @inline(never)
  func converted<Value>(to type: Value.Type) -> Value? { kept.typed(as: type) }
}

extension BorrowedValue {
  init(_ value: UnsafePointer<ChangedValue>) {
    self.init(address: value.pointee.isRequested ? UnsafeRawPointer(value) : nil, field: nil)
  }
}
#endif
