/// A key of the class that programs work with, and what the class says about it.
enum Key: String, CaseIterable {
  // Settings.
  case number, name, maybe, ping, pong
  // Not automatic: only pairs notify of them.
  case manual, guide, lines, note
  // Objects.
  case child, next, friend, chosen
  // To-many.
  case items, kids, tags, ordered, doubles
  // Dependent.
  case doubled, sum, label, left, right, bottom, title, echo, nextLabel, chosenSum, guideName, kidCount, lineCount
  case noteLength, ghost

  var isAutomatic: Bool { ![.manual, .guide, .lines, .note].contains(self) }

  /// The class of a node, which has a say in all that is asked of classes.
  enum Class {
    case plain
    /// Doesn't notify of its name, has a sum that depends on more, and a label of its own making.
    case special
  }

  func isAutomatic(in type: Class) -> Bool { isAutomatic && !(self == .name && type == .special) }

  func dependencies(in type: Class) -> [Path] {
    type == .special && self == .sum ? Self.sumOfSpecial : Self.all[self] ?? []
  }

  private static let sumOfSpecial = ["number", "child.number", "maybe"].map { Path($0) }
  private static let all: [Key: [Path]] = [
    .doubled: ["manual"], .sum: ["number", "child.number"], .label: ["name", "sum"], .left: ["number"],
    .right: ["number", "maybe"], .bottom: ["left", "right", "number"], .chosen: ["number", "child"],
    .title: ["name", "number"], .doubles: ["items"], .ping: ["pong"], .pong: ["ping", "pong"],
    .echo: ["child.echo", "number"], .nextLabel: ["next.label"], .chosenSum: ["chosen.sum"],
    .guideName: ["guide.name"], .kidCount: ["kids.@count"], .lineCount: ["lines"], .noteLength: ["note"],
    .ghost: ["number"],
  ].mapValues { $0.map { Path($0) } }

  /// Whether what changes it is refused while its collection is in the middle of a change.
  var isCollection: Bool { [.items, .kids, .tags, .ordered, .doubles, .lines].contains(self) }
}

/// A key path: keys, and perhaps an operator at its end.
struct Path: CustomStringConvertible {
  let description: String
  let keys: [Key]
  let operation: String?

  init(_ text: String) {
    description = text
    let parts = text.split(separator: "@", maxSplits: 1)
    keys = parts[0].split(separator: ".").compactMap { Key(rawValue: String($0)) }
    operation = parts.count > 1 ? String(parts[1]) : nil
  }

  init(_ keys: [Key], _ operation: String?) {
    self.keys = keys
    self.operation = operation
    description = (keys.map(\.rawValue) + (operation.map { ["@" + $0] } ?? [])).joined(separator: ".")
  }
}
