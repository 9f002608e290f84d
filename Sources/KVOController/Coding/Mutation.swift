/// The way in which a change affects the value for its key.
package enum Mutation {
  case setting
  /// Objects of an array or ordered set are inserted, removed, or replaced at these indexes.
  case ordered(NSKeyValueChange, IndexSet)
  /// Objects of an unordered set are added or removed.
  case unordered(NSKeyValueSetMutationKind, Set<AnyHashable>)

  /// Whether observers receive the whole value.
  var isSetting: Bool { if case .setting = self { true } else { false } }

  package var kind: NSKeyValueChange {
    switch self {
    case .setting, .ordered(.setting, _): .setting
    case .ordered(let kind, _): kind
    case .unordered(.union, _): .insertion
    case .unordered(.minus, _), .unordered(.intersect, _): .removal
    case .unordered: .replacement
    }
  }

  package var indexes: IndexSet? {
    if case .ordered(_, let indexes) = self { indexes } else { nil }
  }

  var hasOld: Bool { kind != .insertion }

  var hasNew: Bool { kind != .removal }

  /// Whether the new value is known before the change, as for objects that are added to a set.
  package var knowsNewBefore: Bool {
    if case .unordered = self { true } else { false }
  }

  /// The old value of the change; `value` is that for the key before the change.
  package func old(in value: Any?) -> Any? {
    switch self {
    case .setting: value
    case .ordered(_, let indexes): collection(value)?.objects(at: indexes) ?? []
    case .unordered(.minus, let objects): elements(of: value, among: objects)
    case .unordered(_, let objects): elements(of: value).subtracting(elements(of: value, among: objects))
    }
  }

  /// The new value of the change; `value` is that for the key after the change, or before it if ``knowsNewBefore``.
  package func new(in value: Any?) -> Any? {
    switch self {
    case .setting: value
    case .ordered(_, let indexes): collection(value)?.objects(at: indexes) ?? []
    case .unordered(_, let objects): objects.filter { collection(value)?.element(equalTo: $0.base) == nil }
    }
  }

  private func collection(_ value: Any?) -> (any ToManyCollection)? {
    value as? any ToManyCollection
  }

  private func elements(of value: Any?) -> Set<AnyHashable> {
    Set((collection(value)?.objects ?? []).compactMap { $0 as? AnyHashable })
  }

  private func elements(of value: Any?, among objects: Set<AnyHashable>) -> Set<AnyHashable> {
    Set(objects.compactMap { collection(value)?.element(equalTo: $0.base) as? AnyHashable })
  }
}
