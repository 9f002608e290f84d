/// The name of a key on a path, with its hash, so that the text isn't hashed at each lookup.
struct HashedKey: Hashable, Sendable {
  let text: String
  /// The index of the property's field if a typed key path means just that property, otherwise -1. A subclass can have
  /// a private property of the same name.
  let place: Int
  private let hash: Int

  init(_ text: String, place: Int? = nil) {
    self.text = text
    self.place = place ?? -1
    hash = text.hashValue
  }

  /// Whether this is the name of a collection operator.
  var isOperator: Bool { text.utf8.first == UInt8(ascii: "@") }

  static func == (left: Self, right: Self) -> Bool {
    left.hash == right.hash && left.text == right.text
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }

  func _rawHashValue(seed: Int) -> Int {
    hash ^ seed
  }
}
