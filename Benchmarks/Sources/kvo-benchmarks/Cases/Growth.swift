import KVOController

extension Group {
  /// Operations that must cost as much for each of many as for each of a few.
  static var growth: Group {
    Group(
      "growth, each",
      Case.growing("observe with identifiers", prepare: { Identified($0) }) { $0.observe() }
        + Case.growing("end identifiers", prepare: { Identified($0, isObserving: true) }) { $0.unobserve() }
        + Case.growing("end lists with identifiers", to: 2_000, prepare: { Listed($0) }) { $0.unobserve() }
        + Case.growing("end tokens", prepare: { Identified($0, isObserving: true) }) { $0.invalidate() }
        + Case.growing("add observers with contexts", to: 20_000, prepare: { Contexts($0) }) { $0.add() }
        + Case.growing("remove contexts", to: 20_000, prepare: { Contexts($0, areAdded: true) }) { $0.remove() }
        + Case.growing("begin sequences", prepare: { Sequences($0) }) { $0.begin() }
        + Case.growing("drop sequences", prepare: { Sequences($0, areBegun: true) }) { $0.drop() }
        + Case.indexedKeyPaths + Case.trees + Case.holders)
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

/// A list of one key path of one object that one observer observes many times.
private final class Listed {
  private let model = Model()
  private let watcher = Watcher()
  private let count: Int

  init(_ count: Int) {
    self.count = count
    for identifier in 0..<count { watcher.observe(model, [\.number], identifier: identifier) { _, _ in } }
  }

  func unobserve() {
    for identifier in 0..<count { watcher.kvoController.unobserve(model, keyPath: "number", identifier: identifier) }
  }
}

/// One key path of one object with which one observer registers many times, with distinct contexts.
private final class Contexts {
  private let model = Model()
  private let watcher = Watcher()
  private let count: Int

  init(_ count: Int, areAdded: Bool = false) {
    self.count = count
    if areAdded { add() }
  }

  private func context(_ number: Int) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number + 1) }

  func add() {
    for number in 0..<count { model.addObserver(watcher, forKeyPath: "number", context: context(number)) }
  }

  /// Removes the registrations, the latest first.
  func remove() {
    for number in (0..<count).reversed() {
      model.removeObserver(watcher, forKeyPath: "number", context: context(number))
    }
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
