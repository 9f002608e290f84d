/// The old or new value of a change.
@frozen
@usableFromInline
package enum ChangedValue {
  /// The value wasn't requested, or the kind of change has none.
  case notRequested
  /// The value is nil, or can't be reached.
  case null
  /// A value, unwrapped.
  case value(Any)

  init(_ value: Any?) {
    if let value { self = .value(value) } else { self = .null }
  }

  init(in dictionary: [NSKeyValueChangeKey: Any], _ key: NSKeyValueChangeKey) {
    self = dictionary[key].map { ChangedValue($0 is NSNull ? nil : $0) } ?? .notRequested
  }

  var isRequested: Bool { if case .notRequested = self { false } else { true } }

  /// The value in a change dictionary, if it was requested.
  var object: Any {
    switch self {
    case .notRequested, .null: NSNull()
    case .value(let value): value
    }
  }

  /// The value; nil if there is none.
  var unwrapped: Any? { if case .value(let value) = self { value } else { nil } }

  /// The value as a `Value`, where nil is `.some(nil)` if `Value` is an Optional, or `Any`. Returns nil if there is no value,
  /// or if it can't be converted.
  @usableFromInline
  package func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    switch self {
    case .value(let value):
      exactly(value) ?? (try? ValueConverter.convert(value, to: type))
    case .null:
      type == Any.self
        ? (Any?.none as Any) as? Value : (type as? any OptionalValue.Type).flatMap { exactly($0.null) }
    case .notRequested: nil
    }
  }
}
