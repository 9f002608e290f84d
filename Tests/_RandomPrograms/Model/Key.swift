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
  // Listed without declared dependencies, and followed by what its getter reads.
  case reach
  // A property that the special class overrides with a computed one, and private ones of one name: by name that of the
  // node's own class, and that of the plain class, which only a key path reaches in special nodes.
  case rank, secret, hidden
  // Followed by reading, by key paths only: what adds up others, and what reads objects inside of structs.
  case boxes, total, boxSum

  var isAutomatic: Bool { ![.manual, .guide, .lines, .note].contains(self) }

  /// The class of a node, which has a say in all that is asked of classes.
  enum Class {
    case plain
    /// Doesn't notify of its name, has a sum that depends on more, and a label of its own making.
    case special
  }

  /// Those that a name leads to.
  static let named = allCases.filter { ![.hidden, .total, .boxSum].contains($0) }

  /// What plain nodes have instead.
  func resolved(in type: Class) -> Key { self == .hidden && type == .plain ? .secret : self }

  func isAutomatic(in type: Class) -> Bool { isAutomatic && !(self == .name && type == .special) }

  func dependencies(in type: Class) -> [Path] {
    switch (type, self) {
    case (.special, .sum): Self.sumOfSpecial
    case (.special, .rank): Self.rankOfSpecial
    default: Self.all[self] ?? []
    }
  }

  /// What the class declares.
  func declaredDependencies(in type: Class) -> [Path] { self == .reach ? [] : dependencies(in: type) }

  private static let sumOfSpecial = ["number", "child.number", "maybe"].map { Path($0) }
  private static let rankOfSpecial = ["maybe", "next.number"].map { Path($0) }
  private static let all: [Key: [Path]] = [
    .doubled: ["manual"], .sum: ["number", "child.number"], .label: ["name", "sum"], .left: ["number"],
    .right: ["number", "maybe"], .bottom: ["left", "right", "number"], .chosen: ["number", "child"],
    .title: ["name", "number"], .doubles: ["items"], .ping: ["pong"], .pong: ["ping", "pong"],
    .echo: ["child.echo", "number"], .nextLabel: ["next.label"], .chosenSum: ["chosen.sum"],
    .guideName: ["guide.name"], .kidCount: ["kids.@count"], .lineCount: ["lines"], .noteLength: ["note"],
    .ghost: ["number"], .reach: ["number", "next.number", "maybe"], .total: ["number", "child.number", "maybe"],
    .boxSum: ["boxes"],
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
