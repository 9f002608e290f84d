import KVOController

extension Group {
  /// One key of one object that more and more controllers observe, each of an observer of its own: none of them may pay
  /// for the others.
  static var manyObservers: Group {
    let counts = [1, 10, 100, 1_000, 10_000]
    return Group(
      "controllers of one key, each",
      counts.map { Case.observing($0, against: 1) } + counts.map { Case.unobserving($0, against: 1) }
        + counts.map { Case.dying($0, against: 1) } + counts.map { Case.hearing($0, against: 1) })
  }
}

extension Case {
  /// The number of all registrations, regardless of how many one object has.
  private static let registrations = 10_000

  private static func compare(_ what: String, _ count: Int, _ first: Int, atMost ratio: Double? = nil) -> [Comparison] {
    count == first ? [] : [.beside(name(what, first), atMost: ratio)]
  }

  private static func name(_ what: String, _ count: Int) -> String { "\(what), \(count.grouped)" }

  static func observing(_ count: Int, against first: Int) -> Case {
    Case(name("observe", count), compare("observe", count, first, atMost: 2)) {
      Trial(operations: registrations) {
        (0..<registrations / count).map { _ in Crowd(count) }
      } work: { crowds in
        for crowd in crowds { crowd.observe() }
      }
    }
  }

  static func unobserving(_ count: Int, against first: Int) -> Case {
    Case(name("unobserve", count), compare("unobserve", count, first)) {
      Trial(operations: registrations) {
        (0..<registrations / count).map { _ in Crowd(count, isObserving: true) }
      } work: { crowds in
        for crowd in crowds { crowd.unobserve() }
      }
    }
  }

  /// The deallocation of the observer and its controller, instead of a removal.
  static func dying(_ count: Int, against first: Int) -> Case {
    Case(name("die", count), compare("die", count, first)) {
      Trial(operations: registrations) {
        (0..<registrations / count).map { _ in Crowd(count, isObserving: true) }
      } work: { crowds in
        for crowd in crowds { crowd.die() }
      }
    }
  }

  static func hearing(_ count: Int, against first: Int) -> Case {
    Case(name("hear of a set", count), compare("hear of a set", count, first)) {
      let crowd = Crowd(count, isObserving: true)
      return Trial(.setting(crowd.model, telling: crowd.watchers[0], keeping: crowd), operations: count)
    }
  }
}
