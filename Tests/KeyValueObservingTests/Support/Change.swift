import KeyValueObserving

/// The null of change dictionaries.
var null: NSNull { NSNull() }

/// A whole change dictionary, comparable: two are equal only if they have the same entries.
struct Change: Equatable, CustomStringConvertible {
  private var entries: [String: AnyHashable] = [:]

  init(
    _ kind: NSKeyValueChange, new: AnyHashable? = nil, old: AnyHashable? = nil, indexes: IndexSet? = nil,
    isPrior: Bool = false
  ) {
    entries["kind"] = kind.rawValue
    entries["new"] = new
    entries["old"] = old
    entries["indexes"] = indexes
    if isPrior { entries["notificationIsPrior"] = true }
  }

  init(_ dictionary: [NSKeyValueChangeKey: Any]) {
    for (key, value) in dictionary {
      entries[key.rawValue] =
        switch key {
        case .kindKey: Self.typed(value, UInt.self)
        case .notificationIsPriorKey: Self.typed(value, Bool.self)
        default: Self.comparable(value)
        }
    }
  }

  private static func typed<Value: Hashable>(_ value: Any, _ type: Value.Type) -> AnyHashable {
    if let value = value as? Value { return AnyHashable(value) }
    return "not of type \(type): \(value)"
  }

  /// An Optional must not be in a dictionary, so one must not become equal to what it wraps.
  private static func comparable(_ value: Any) -> AnyHashable {
    if Mirror(reflecting: value).displayStyle == .optional { return AnyHashable("wrapped: \(value)") }
    return value as? AnyHashable ?? AnyHashable("not hashable: \(value)")
  }

  var description: String {
    let fields = entries.sorted { $0.key < $1.key }.map {
      "\($0.key): \($0.value.base is NSNull ? "null" : "\($0.value)")"
    }
    return "{\(fields.joined(separator: ", "))}"
  }

  static var setting: Change { Change(.setting) }
  static func setting(new: AnyHashable) -> Change { Change(.setting, new: new) }
  static func setting(old: AnyHashable) -> Change { Change(.setting, old: old) }
  static func setting(new: AnyHashable, old: AnyHashable) -> Change { Change(.setting, new: new, old: old) }
  static var prior: Change { Change(.setting, isPrior: true) }
  static func prior(old: AnyHashable) -> Change { Change(.setting, old: old, isPrior: true) }
}
