import KVOController

extension Group {
  /// What must cost as much for each of many as for each of a few.
  static var growth: Group {
    Group(
      "growth, each",
      Case.growing("observe with identifiers", prepare: { Identified($0) }) { $0.observe() }
        + Case.growing("end identifiers", prepare: { Identified($0, isObserving: true) }) { $0.unobserve() }
        + Case.growing("end tokens", prepare: { Identified($0, isObserving: true) }) { $0.invalidate() }
        + Case.growing("begin sequences", prepare: { Sequences($0) }) { $0.begin() }
        + Case.growing("drop sequences", prepare: { Sequences($0, areBegun: true) }) { $0.drop() }
        + Case.indexedKeyPaths + Case.trees)
  }
}

extension Case {
  /// A case for a few and one for many, with as many operations in all.
  static func growing<State>(
    _ name: String, from few: Int = 100, to many: Int = 10_000, atMost ratio: Double = 3,
    prepare: @escaping (Int) -> State, work: @escaping (State) -> Void
  ) -> [Case] {
    func grown(_ count: Int, _ comparisons: [Comparison]) -> Case {
      Case("\(name), \(count.grouped)", comparisons) {
        Trial(operations: many) {
          (0..<many / count).map { _ in prepare(count) }
        } work: { states in
          for state in states { work(state) }
        }
      }
    }
    return [grown(few, []), grown(many, [.beside("\(name), \(few.grouped)", atMost: ratio)])]
  }
}

/// One key path of one object that one controller observes many times.
private final class Identified {
  private let model = Model()
  private let watcher = Watcher()
  private let controller: KVOController
  private let count: Int
  private var tokens: [KVOObservation] = []

  init(_ count: Int, isObserving: Bool = false) {
    self.count = count
    controller = watcher.kvoController
    tokens.reserveCapacity(count)
    if isObserving { observe() }
  }

  func observe() {
    for identifier in 0..<count {
      tokens.append(controller.observe(model, \.number, identifier: identifier) { _, _ in })
    }
  }

  /// Ends the observations in no particular order.
  func unobserve() {
    for number in 0..<count {
      controller.unobserve(model, keyPath: "number", identifier: number * 7_919 % count)
    }
  }

  func invalidate() {
    for number in tokens.indices { tokens[number * 7_919 % count].invalidate() }
  }
}

/// One key path of one object of which one controller makes many sequences.
private final class Sequences {
  private let model = Model()
  private let watcher = Watcher()
  private let count: Int
  private var sequences: [AsyncStream<Int>] = []

  init(_ count: Int, areBegun: Bool = false) {
    self.count = count
    sequences.reserveCapacity(count)
    if areBegun { begin() }
  }

  func begin() {
    for _ in 0..<count { sequences.append(watcher.kvoController.values(of: model, \.number)) }
  }

  func drop() {
    sequences = []
  }
}
