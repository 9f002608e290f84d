import KVOController

/// A whole change dictionary, comparable: two are equal only if they have the same entries.
typealias Change = [NSKeyValueChangeKey: AnyHashable]

extension Change {
  init(_ dictionary: [NSKeyValueChangeKey: Any]) {
    self.init(
      uniqueKeysWithValues: dictionary.map { key, value in
        switch key {
        case .kindKey: (key, Self.typed(value, UInt.self))
        case .notificationIsPriorKey: (key, Self.typed(value, Bool.self))
        default: (key, Self.comparable(value))
        }
      })
  }

  private static func typed<Typed: Hashable>(_ value: Any, _ type: Typed.Type) -> AnyHashable {
    if let value = value as? Typed { return AnyHashable(value) }
    return AnyHashable("not of type \(type): \(value)")
  }

  /// An Optional must not be in a dictionary, so one must not become equal to what it wraps.
  private static func comparable(_ value: Any) -> AnyHashable {
    if Mirror(reflecting: value).displayStyle == .optional { return AnyHashable("wrapped: \(value)") }
    return value as? AnyHashable ?? AnyHashable("not hashable: \(value)")
  }

  static var setting: Change { [.kindKey: NSKeyValueChange.setting.rawValue] }

  static func setting(new: AnyHashable? = nil, old: AnyHashable? = nil, keyPath: String? = nil) -> Change {
    var change = setting
    change[.newKey] = new
    change[.oldKey] = old
    change[.keyPathKey] = keyPath
    return change
  }

  static func prior(old: AnyHashable? = nil, keyPath: String? = nil) -> Change {
    var change = setting(old: old, keyPath: keyPath)
    change[.notificationIsPriorKey] = true
    return change
  }

  /// One line that is the same for equal changes.
  var text: String {
    let entries = map { key, value in "\(key.rawValue): \(value.base is NSNull ? "null" : "\(value.base)")" }
    return "{\(entries.sorted().joined(separator: ", "))}"
  }
}

/// The null of change dictionaries.
var null: NSNull { NSNull() }
