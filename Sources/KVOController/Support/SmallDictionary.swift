/// A dictionary whose first entry takes no memory of its own: most have no other.
struct SmallDictionary<Key: Hashable, Value> {
  private(set) var first: (key: Key, value: Value)?
  private(set) var others: [Key: Value] = [:]

  var isEmpty: Bool { first == nil && others.isEmpty }

  var values: [Value] { (first.map { [$0.value] } ?? []) + others.values }

  subscript(key: Key) -> Value? {
    @inline(__always) get { first?.key == key ? first?.value : others.isEmpty ? nil : others[key] }
    _modify {
      if first?.key == key || (first == nil && (others.isEmpty || others[key] == nil)) {
        // Moved out and back, so that it isn't copied.
        var value = first?.value
        first = nil
        defer { first = value.map { (key, $0) } }
        yield &value
      } else {
        yield &others[key]
      }
    }
  }

  func checkInvariants(_ key: (Value) -> Key) {
    precondition(first.map { others[$0.key] == nil } != false, "A key has two entries.")
    precondition(
      first.map { $0.key == key($0.value) } != false && others.allSatisfy { $0 == key($1) }, "An entry is elsewhere.")
  }
}
