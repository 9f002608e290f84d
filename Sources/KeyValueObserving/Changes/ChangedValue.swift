/// The old or new value of a change.
@usableFromInline
package enum ChangedValue {
  /// The value wasn't requested, or the kind of change has none.
  case unasked
  /// The value is nil, or can't be reached.
  case null
  /// A value, unwrapped.
  case value(ValueBox)
  #if !canImport(ObjectiveC)
  /// A value that the setter lends.
  case lent(LentValue)
  #endif

  init(_ value: Any?) {
    if let value { self = .value(ValueBox(value)) } else { self = .null }
  }

  /// The value in a change dictionary; nil if it has none.
  var object: Any? {
    switch self {
    case .unasked: nil
    case .null: NSNull()
    case .value(let box): box.value
    #if !canImport(ObjectiveC)
    case .lent(let value): value.any ?? NSNull()
    #endif
    }
  }

  /// The same value, without a reference to the setter's storage.
  var kept: ChangedValue {
    #if !canImport(ObjectiveC)
    if case .lent(let value) = self { return ChangedValue(value.any) }
    #endif
    return self
  }

  /// The value as a `Value`, where nil is `.some(nil)` if `Value` is an Optional. Returns nil if there is no value, or
  /// if it can't be converted.
  @inlinable
  package func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    #if !canImport(ObjectiveC)
    if case .lent(let value) = self, let exact = value.exactly(type) ?? value.wrapped(in: type) { return exact }
    #endif
    if case .unasked = self { return nil }
    return converted(to: type)
  }

  @usableFromInline
  func converted<Value>(to type: Value.Type) -> Value? {
    switch kept {
    case .value(let box):
      exactly(box.value) ?? ValueConversion.convert(box.value, to: type) ?? collection(box.value, of: type)
    case .null: (type as? any OptionalValue.Type)?.null as? Value
    default: nil
    }
  }

  /// The objects of a to-many change as a collection whose elements can be nil, for which `objects` contains `NSNull`.
  private func collection<Value>(_ objects: Any, of type: Value.Type) -> Value? {
    (type as? any EditableCollection.Type)?.converted(objects) as? Value
  }
}

/// `value`, if its type is `Value` or the type that this wraps. These are the common cases, and much faster than a
/// cast.
private func exactly<Value>(_ value: Any) -> Value? {
  func open<Actual>(_ value: Actual) -> Value? {
    if Actual.self == Value.self {
      return withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: Value.self) }
    }
    guard Actual?.self == Value.self else { return nil }
    return withUnsafePointer(to: value as Actual?) { UnsafeRawPointer($0).load(as: Value.self) }
  }
  return open(value)
}

/// A value of any type, in a box that is passed by reference.
@usableFromInline
package final class ValueBox {
  package let value: Any

  init(_ value: Any) {
    self.value = value
  }
}

/// The indexes of a change of a to-many property, boxed because most changes have none.
@usableFromInline
package final class IndexBox: Sendable {
  package let indexes: IndexSet

  package init(_ indexes: IndexSet) {
    self.indexes = indexes
  }
}
