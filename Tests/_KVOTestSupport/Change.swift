import KVOController

/// Whether what Key-Value Coding passes and returns is bridged to Objective-C, as on Apple platforms.
#if canImport(ObjectiveC) || KVO_STAND_INS
let isCodingBridged = true
#else
let isCodingBridged = false
#endif

/// The null of change dictionaries.
package var null: NSNull { NSNull() }

/// A whole change dictionary, comparable: two are equal only if they have the same entries.
package struct Change: Equatable, CustomStringConvertible {
  package var entries: [NSKeyValueChangeKey: AnyHashable] = [:]

  package init(
    _ kind: NSKeyValueChange, new: AnyHashable? = nil, old: AnyHashable? = nil, indexes: IndexSet? = nil,
    isPrior: Bool = false, keyPath: String? = nil
  ) {
    entries[.kindKey] = kind.rawValue
    entries[.newKey] = new
    entries[.oldKey] = old
    entries[.indexesKey] = indexes
    entries[.keyPathKey] = keyPath
    if isPrior { entries[.notificationIsPriorKey] = true }
  }

  package init(_ dictionary: [NSKeyValueChangeKey: Any]) {
    for (key, value) in dictionary {
      entries[key] =
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

  /// The same with a key path.
  package func with(keyPath: String) -> Change {
    var change = self
    change.entries[.keyPathKey] = keyPath
    return change
  }

  package static func == (left: Change, right: Change) -> Bool { left.bridged == right.bridged }

  /// The entries as Objective-C sees them, if coding is bridged: a number is equal whatever its type is.
  private var bridged: [NSKeyValueChangeKey: AnyHashable] {
    isCodingBridged ? entries.mapValues { ($0.base as AnyObject as? NSObject).map(AnyHashable.init) ?? $0 } : entries
  }

  package subscript(key: NSKeyValueChangeKey) -> AnyHashable? { entries[key] }

  /// One line that is the same for equal changes.
  package var description: String {
    let fields = entries.map { "\($0.key.rawValue): \($0.value.base is NSNull ? "null" : "\($0.value)")" }
    return "{\(fields.sorted().joined(separator: ", "))}"
  }

  package static var setting: Change { Change(.setting) }

  package static func setting(new: AnyHashable? = nil, old: AnyHashable? = nil, keyPath: String? = nil) -> Change {
    Change(.setting, new: new, old: old, keyPath: keyPath)
  }

  package static var prior: Change { Change(.setting, isPrior: true) }

  package static func prior(old: AnyHashable? = nil, keyPath: String? = nil) -> Change {
    Change(.setting, old: old, isPrior: true, keyPath: keyPath)
  }
}

extension UnsafeMutableRawPointer? {
  /// A context that is distinguished by a number; 0 is nil.
  package static func number(_ number: Int) -> Self { UnsafeMutableRawPointer(bitPattern: number) }
}
