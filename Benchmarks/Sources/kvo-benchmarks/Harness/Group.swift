/// Cases that are measured in turn, so that what happens to the machine happens to all of them.
struct Group {
  let name: String
  let cases: [Case]
  /// Whether Valgrind can count the instructions of its cases, and says something by it.
  let isCountable: Bool

  init(_ name: String, isCountable: Bool = true, @CaseBuilder cases: () -> [Case]) {
    self.init(name, isCountable: isCountable, cases())
  }

  init(_ name: String, isCountable: Bool = true, _ cases: [Case]) {
    self.name = name
    self.isCountable = isCountable
    self.cases = cases
  }

  /// The cases that do something again and again, and what they do.
  var trials: [(subject: Case, make: () -> Trial)] {
    cases.compactMap { subject in
      if case .repeated(let make) = subject.work { (subject, make) } else { nil }
    }
  }

  /// Only those cases whose "group/name" contains one of the texts, and those that they are compared with.
  func filtered(by texts: [String]) -> Group {
    guard !texts.isEmpty else { return self }
    let chosen = cases.filter { subject in texts.contains { "\(name)/\(subject.name)".contains($0) } }
    let others = chosen.flatMap { $0.comparisons.compactMap(\.other) }
    let names = Set(chosen.map(\.name) + others)
    return Group(name, isCountable: isCountable, cases.filter { names.contains($0.name) })
  }

  /// Only the cases whose "group/name" is one of those.
  func only(_ names: [String]) -> Group {
    Group(name, isCountable: isCountable, cases.filter { names.contains("\(name)/\($0.name)") })
  }
}

/// Lists cases and arrays of them without commas.
@resultBuilder
enum CaseBuilder {
  static func buildExpression(_ element: Case) -> [Case] { [element] }
  static func buildExpression(_ elements: [Case]) -> [Case] { elements }
  static func buildBlock(_ parts: [Case]...) -> [Case] { parts.flatMap { $0 } }
}
