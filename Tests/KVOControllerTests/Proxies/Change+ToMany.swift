import KVOController
import _KVOTestSupport

/// Changes of to-many properties, with collections, numbers, and strings in Swift's types.
extension Change {
  init(inSwiftTypes dictionary: [NSKeyValueChangeKey: Any]) {
    self.init(dictionary)
    for key in [NSKeyValueChangeKey.newKey, .oldKey] { entries[key] = dictionary[key].map(Self.inSwiftTypes) }
  }

  private static func inSwiftTypes(_ value: Any) -> AnyHashable {
    switch value {
    case let set as Set<AnyHashable>: AnyHashable(Set(set.map { inSwiftTypes($0.base) }))
    case let set as NSSet: AnyHashable(Set(set.allObjects.map(inSwiftTypes)))
    case let ordered as NSOrderedSet: AnyHashable(ordered.map(inSwiftTypes))
    case let array as NSArray: AnyHashable(array.map(inSwiftTypes))
    case let number as Int: number
    case let string as String: string
    default: value as? AnyHashable ?? AnyHashable("not hashable: \(value)")
    }
  }

  /// An array as it is in a change.
  static func list(_ elements: [AnyHashable]) -> AnyHashable { AnyHashable(elements) }

  /// A set as it is in a change.
  static func set(_ elements: Set<AnyHashable>) -> AnyHashable { AnyHashable(elements) }

  static func insertion(_ new: [AnyHashable], at indexes: IndexSet) -> Change {
    Change(.insertion, new: list(new), indexes: indexes)
  }

  static func removal(_ old: [AnyHashable], at indexes: IndexSet) -> Change {
    Change(.removal, old: list(old), indexes: indexes)
  }

  static func replacement(_ old: [AnyHashable], with new: [AnyHashable], at indexes: IndexSet) -> Change {
    Change(.replacement, new: list(new), old: list(old), indexes: indexes)
  }

  static func setting(_ old: [AnyHashable], with new: [AnyHashable]) -> Change {
    Change(.setting, new: list(new), old: list(old))
  }

  /// A set's change, without what its kind doesn't have.
  static func set(
    _ kind: NSKeyValueChange, old: Set<AnyHashable>? = nil, new: Set<AnyHashable>? = nil
  ) -> Change {
    Change(kind, new: new.map { set($0) }, old: old.map { set($0) })
  }

  /// This change as it is with other options; `isPrior` for the call before it.
  func with(_ options: NSKeyValueObservingOptions, isPrior: Bool = false) -> Change {
    var change = self
    if isPrior { change.entries[.notificationIsPriorKey] = true }
    if isPrior || !options.contains(.new) { change.entries[.newKey] = nil }
    if !options.contains(.old) { change.entries[.oldKey] = nil }
    return change
  }
}

extension Recorder {
  /// The changes since the last time, in Swift's types.
  func takeToMany() -> [Change] { takeCalls().map { Change(inSwiftTypes: $0.dictionary) } }
}
