import KeyValueObserving
import _KVOTestSupport

/// A whole change dictionary of a to-many property, comparable, with numbers and strings in Swift's types.
struct ToManyChange: Equatable, CustomStringConvertible {
  private var entries: [String: AnyHashable]

  init(
    _ kind: NSKeyValueChange, new: AnyHashable? = nil, old: AnyHashable? = nil, indexes: IndexSet? = nil,
    isPrior: Bool = false
  ) {
    entries = ["kind": kind.rawValue]
    entries["new"] = new
    entries["old"] = old
    entries["indexes"] = indexes
    if isPrior { entries["notificationIsPrior"] = true }
  }

  init(_ dictionary: [NSKeyValueChangeKey: Any]) {
    entries = Dictionary(uniqueKeysWithValues: dictionary.map { ($0.rawValue, Self.comparable($0, $1)) })
  }

  private static func comparable(_ key: NSKeyValueChangeKey, _ value: Any) -> AnyHashable {
    switch key {
    case .kindKey: value as? UInt ?? 0
    case .notificationIsPriorKey: value as? Bool ?? false
    default: comparable(value)
    }
  }

  private static func comparable(_ value: Any) -> AnyHashable {
    switch value {
    case let indexes as IndexSet: indexes
    case let set as Set<AnyHashable>: AnyHashable(Set(set.map { comparable($0.base) }))
    case let set as NSSet: AnyHashable(Set(set.allObjects.map(comparable)))
    case let ordered as NSOrderedSet: AnyHashable(ordered.map(comparable))
    case let array as NSArray: AnyHashable(array.map(comparable))
    case let number as Int: number
    case let string as String: string
    default: value as? AnyHashable ?? AnyHashable("not hashable: \(value)")
    }
  }

  var description: String {
    "{\(entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
  }

  /// An array as it is in a change.
  static func list(_ elements: [AnyHashable]) -> AnyHashable { AnyHashable(elements) }

  /// A set as it is in a change.
  static func set(_ elements: Set<AnyHashable>) -> AnyHashable { AnyHashable(elements) }

  static func insertion(_ new: [AnyHashable], at indexes: IndexSet) -> ToManyChange {
    ToManyChange(.insertion, new: list(new), indexes: indexes)
  }

  static func removal(_ old: [AnyHashable], at indexes: IndexSet) -> ToManyChange {
    ToManyChange(.removal, old: list(old), indexes: indexes)
  }

  static func replacement(_ old: [AnyHashable], with new: [AnyHashable], at indexes: IndexSet) -> ToManyChange {
    ToManyChange(.replacement, new: list(new), old: list(old), indexes: indexes)
  }

  static func setting(_ old: [AnyHashable], with new: [AnyHashable]) -> ToManyChange {
    ToManyChange(.setting, new: list(new), old: list(old))
  }

  /// A set's change, without what its kind doesn't have.
  static func set(
    _ kind: NSKeyValueChange, old: Set<AnyHashable>? = nil, new: Set<AnyHashable>? = nil
  ) -> ToManyChange {
    ToManyChange(kind, new: new.map { set($0) }, old: old.map { set($0) })
  }

  /// This change as it is with other options; `isPrior` for the call before it.
  func with(_ options: NSKeyValueObservingOptions, isPrior: Bool = false) -> ToManyChange {
    var change = self
    if isPrior { change.entries["notificationIsPrior"] = true }
    if isPrior || !options.contains(.new) { change.entries["new"] = nil }
    if !options.contains(.old) { change.entries["old"] = nil }
    return change
  }
}

extension Recorder {
  func takeToMany() -> [ToManyChange] {
    let changes = toManyChanges
    _ = take()
    return changes
  }

  private var toManyChanges: [ToManyChange] { calls.map { ToManyChange($0.dictionary) } }
}
