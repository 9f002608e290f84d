import KVOController

/// A value of either world.
indirect enum Value: Hashable, CustomStringConvertible {
  case null
  case int(Int)
  case text(String)
  case object(Int)
  case list([Value])
  case set(Set<Value>)
  /// An ordered set.
  case ordered([Value])
  /// A value that must never occur.
  case strange(String)

  static func ints(_ numbers: [Int]) -> Value { .list(numbers.map { .int($0) }) }

  var description: String {
    switch self {
    case .null: "null"
    case .int(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .object(let id): "#\(id)"
    case .list(let values): "\(values)"
    case .set(let values): "{\(values.map(\.description).sorted().joined(separator: ", "))}"
    case .ordered(let values): "ordered \(values)"
    case .strange(let text): "strange: \(text)"
    }
  }
}

/// The values that an observer receives in one call.
struct Event: Equatable, CustomStringConvertible {
  let observer: Int
  let context: Int
  let root: Int
  let keyPath: String
  var kind: UInt = 1
  var isPrior = false
  var new: Value?
  var old: Value?
  var indexes: [Int]?
  /// Unexpected entries of the dictionary.
  var others: [String] = []

  var description: String {
    var entries = ["kind: \(kind)"]
    if let new { entries.append("new: \(new)") }
    if let old { entries.append("old: \(old)") }
    if let indexes { entries.append("indexes: \(indexes)") }
    if isPrior { entries.append("prior") }
    entries += others
    return "[\(context)] \(observer) receives a change of #\(root).\(keyPath) {\(entries.joined(separator: ", "))}"
  }
}
