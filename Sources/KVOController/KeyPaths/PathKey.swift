/// A key of a path.
struct PathKey: Sendable {
  let text: String
  /// The property that a step of a typed key path means; nil for a name, which means what the object's class calls so.
  let property: ObservedField?

  init(_ text: String, property: ObservedField? = nil) {
    self.text = text
    self.property = property
  }

  /// Whether this is the name of a collection operator.
  var isOperator: Bool { text.utf8.first == UInt8(ascii: "@") }

  static func keys(of keyPath: String) -> [PathKey] { names(of: keyPath).map { PathKey($0) } }

  static func names(of keyPath: String) -> [String] {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return [keyPath] }
    return keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
