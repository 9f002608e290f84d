/// The name of a key on a path, with its hash, so that the text isn't hashed at each lookup.
struct KeyName: Hashable, Sendable {
  let text: String
  private let hash: Int

  init(_ text: String) {
    self.text = text
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
