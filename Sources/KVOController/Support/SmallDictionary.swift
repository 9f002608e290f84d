/// A dictionary whose first entry takes no memory of its own: most have no other.
struct SmallDictionary<Key: Hashable, Value> {
  /// The key of the first entry; nil if there is none.
  private(set) var firstKey: Key?
  /// The value of the first entry, to be used in place if its key is known. It isn't removed here.
  var first: Value?
  private(set) var others: [Key: Value] = [:]

  var isEmpty: Bool { firstKey == nil && others.isEmpty }

  var values: [Value] { (first.map { [$0] } ?? []) + others.values }

  subscript(key: Key) -> Value? { firstKey == key ? first : others.isEmpty ? nil : others[key] }

  /// Calls `body` with the value for a key, in place, so that it isn't copied; nil if there is none, or to remove it.
  @inline(__always)
  mutating func update<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
    if firstKey == key || (firstKey == nil && (others.isEmpty || others[key] == nil)) {
      defer { firstKey = first == nil ? nil : key }
      return body(&first)
    }
    return body(&others[key])
  }

  func checkInvariants(_ key: (Value) -> Key) {
    precondition((firstKey == nil) == (first == nil), "The first key has no value.")
    precondition(firstKey.map { others[$0] == nil } != false, "A key has two entries.")
    precondition(
      first.map { firstKey == key($0) } != false && others.allSatisfy { $0 == key($1) }, "An entry is elsewhere.")
  }
}
