/// The value of a property before or after a change, in place, so that a value that isn't used as an `Any` isn't boxed.
///
/// The address is that of a value of the field's type, or of a ``ChangedValue``, in a frame that exists until the observer was
/// notified. The ``KeyValueChange`` that contains it can't be copied: to store the value, it must be read.
@usableFromInline
struct BorrowedValue {
  @usableFromInline let address: UnsafeRawPointer?
  /// The property's field, which is never deallocated; nil at the address of a `ChangedValue`.
  @usableFromInline let field: Unmanaged<ObservedField>?

  static var notRequested: BorrowedValue { BorrowedValue(address: nil, field: nil) }

  var isRequested: Bool { address != nil }

  /// The value in a change dictionary, if it was requested.
  var object: Any {
    guard let address else { return NSNull() }
    guard let field else { return address.assumingMemoryBound(to: ChangedValue.self).pointee.object }
    return field.takeUnretainedValue().read(address) ?? NSNull()
  }

  /// The same value, without a reference to the frame that lends it.
  @usableFromInline
  var kept: ChangedValue {
    guard let address else { return .notRequested }
    guard let field else { return address.assumingMemoryBound(to: ChangedValue.self).pointee }
    return ChangedValue(field.takeUnretainedValue().read(address))
  }

  /// The value as ``ChangedValue/typed(as:)`` returns it. It is compiled into clients, so it has no cast to a type of theirs: the
  /// optimizer of Swift 6.3 crashes at some.
  @inlinable
  @inline(__always)
  func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    guard let address else { return nil }
    if let exactType {
      if exactType == type { return address.assumingMemoryBound(to: Value.self).pointee }
      if let field, field._withUnsafeGuaranteedRef({ $0.optionalType == type }) {
        // An Optional of a value is the value, followed by zeros if it is larger (docs/ABI/TypeLayout.rst of Swift). To have the
        // runtime make one takes twice as long as the whole change, for the row "typed leaf set" of Benchmarks.
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { value in
          guard let result = value.baseAddress else { return nil }
          let memory = UnsafeMutableRawPointer(result)
          memory.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.size)
          field._withUnsafeGuaranteedRef { $0.copyValue(address, memory) }
          return result.move()
        }
      }
    } else if field == nil {
      let value = address.assumingMemoryBound(to: ChangedValue.self).pointee
      if case .value(let value) = value, Swift.type(of: value) == type { return exactCast(value, to: type) }
      return value.typed(as: type)
    }
    return kept.typed(as: type)
  }

  /// The type of the value at the address, if it is that of a property that can't be nil in several ways.
  @inlinable var exactType: Any.Type? { field?._withUnsafeGuaranteedRef { $0.exactType } }
}

extension BorrowedValue {
  init(_ value: UnsafePointer<ChangedValue>) {
    address = value.pointee.isRequested ? UnsafeRawPointer(value) : nil
    field = nil
  }
}
