/// Cases that are measured in turn, so that what happens to the machine happens to all of them.
struct Group {
  let name: String
  let cases: [Case]
  /// Whether Valgrind can count the instructions of its cases in reasonable time, and says something by it.
  let isCountable: Bool

  init(_ name: String, isCountable: Bool = true, @CaseBuilder cases: () -> [Case]) {
    self.init(name, isCountable: isCountable, cases())
  }

  init(_ name: String, isCountable: Bool = true, _ cases: [Case]) {
    let names = Set(cases.map(\.name))
    precondition(names.count == cases.count, "two cases of \(name) have one name")
    for other in cases.flatMap({ $0.comparisons.compactMap(\.other) }) where !names.contains(other) {
      fatalError("\(name) has no case \(other) to compare with")
    }
    self.name = name
    self.isCountable = isCountable
    self.cases = cases
  }

  private init(_ group: Group, _ cases: [Case]) {
    name = group.name
    isCountable = group.isCountable
    self.cases = cases
  }

  /// The cases that do something again and again, and what they do.
  var trials: [(subject: Case, make: () -> Trial)] {
    cases.compactMap { subject in
      if case .repeated(let make) = subject.work { (subject, make) } else { nil }
    }
  }

  /// "group/name" of a case.
  func path(of subject: Case) -> String {
    "\(name)/\(subject.name)"
  }

  /// Only those cases whose path contains one of the texts, and those that they are compared with.
  func filtered(by texts: [String]) -> Group {
    guard !texts.isEmpty else { return self }
    let chosen = cases.filter { subject in texts.contains { path(of: subject).contains($0) } }
    let others = chosen.flatMap { $0.comparisons.compactMap(\.other) }
    let names = Set(chosen.map(\.name) + others)
    return Group(self, cases.filter { names.contains($0.name) })
  }

  /// Only the cases with those paths.
  func only(_ paths: some Sequence<String>) -> Group {
    Group(self, cases.filter { paths.contains(path(of: $0)) })
  }
}
