import KVOController
import Testing
import _KVOTestSupport
import _RandomPrograms

/// Random programs of an actor and another thread, against a model of when a handler is called.
///
/// `KVO_SEED` in the environment repeats a run, and `KVO_STEPS` says how many operations it has.
@Suite @MainActor struct DeliveryRandomTests {
  @Test func theHandlerIsCalledWhenTheModelSaysSo() {
    let failure = RandomRun.failure(operations: 30_000, inProgramsOf: 12) { choices, steps in
      let observed = Observed(&choices)
      let (real, model) = (Real(observed), Model(observed))
      return steps.firstFailure {
        let operations = (0...choices.below(4)).map { _ in Operation(&choices) }
        real.perform(operations)
        model.perform(operations)
        if real.calls == model.calls { return nil }
        return "\(observed)\n  \(operations)\n  calls:  \(real.calls)\n  model:  \(model.calls)"
      }
    }
    #expect(failure == nil, "\(failure ?? "")")
  }
}

/// What a program observes, and how.
private struct Observed {
  enum Place { case plays, nextPlays, list }

  let place: Place
  let options: NSKeyValueObservingOptions
  let delivery: KVODelivery

  init(_ choices: inout Choices) {
    place = choices.pick([.plays, .nextPlays, .list])
    options = NSKeyValueObservingOptions([.initial, .old, .new].filter { _ in choices.isOne(in: 2) })
    delivery = choices.pick([[], .distinct, .coalesced, [.distinct, .coalesced]])
  }

  func contains(_ property: Property) -> Bool {
    switch property {
    case .plays: place != .nextPlays
    case .title: place == .list
    case .next, .nextPlays: place == .nextPlays
    }
  }
}

/// What is set: of the song, or of the next one.
private enum Property { case plays, title, next, nextPlays }

private enum Operation {
  /// Sets a property to what has this number; nil for no next song.
  case set(Property, Int?, isElsewhere: Bool)
  case deliverNow
  case restart

  init(_ choices: inout Choices) {
    let (number, isElsewhere) = (choices.below(3), choices.isOne(in: 2))
    switch choices.below(9) {
    case 0...2: self = .set(.plays, number, isElsewhere: isElsewhere)
    case 3: self = .set(.title, number, isElsewhere: isElsewhere)
    case 4: self = .set(.next, choices.isOne(in: 3) ? nil : number, isElsewhere: isElsewhere)
    case 5...6: self = .set(.nextPlays, number, isElsewhere: isElsewhere)
    case 7: self = .deliverNow
    default: self = choices.isOne(in: 4) ? .restart : .deliverNow
    }
  }
}

/// A call of the handler, with what the change contains.
private struct Call: Equatable {
  let old: Int??
  let new: Int??
}

// MARK: The package

@MainActor private final class Real: KeyValueObject {
  private(set) var calls: [Call] = []
  private let observed: Observed
  private let song = Song("0", plays: 0)
  private var script: ArraySlice<Operation> = []

  init(_ observed: Observed) {
    self.observed = observed
    super.init()
    observe()
  }

  /// Performs the first operation, and each other one in the next call.
  func perform(_ operations: [Operation]) {
    (calls, script) = ([], operations[...])
    performNext()
  }

  private func performNext() {
    guard let operation = script.popFirst() else { return }
    switch operation {
    case .set(let property, let number, true): onThreads(1) { [song] _ in set(property, of: song, to: number) }
    case .set(let property, let number, false): set(property, of: song, to: number)
    case .deliverNow: kvoController.deliverNow()
    case .restart:
      kvoController.unobserveAll()
      observe()
    }
  }

  private func observe() {
    let (options, delivery) = (observed.options, observed.delivery)
    switch observed.place {
    case .plays:
      observe(song, \.plays, options: options, delivery: delivery) { observer, _, change in
        observer.call(change.oldValue.map { $0 }, change.newValue.map { $0 })
      }
    case .nextPlays:
      observe(song, \.next?.plays, options: options, delivery: delivery) { observer, _, change in
        observer.call(change.oldValue, change.newValue)
      }
    case .list:
      observe(song, [\.plays, \.title], options: options, delivery: delivery) { observer, _ in observer.call(nil, nil) }
    }
  }

  private func call(_ old: Int??, _ new: Int??) {
    calls.append(Call(old: old, new: new))
    performNext()
  }
}

private func set(_ property: Property, of song: Song, to number: Int?) {
  switch property {
  case .plays: song.plays = number ?? 0
  case .title: song.title = "\(number ?? 0)"
  case .next: song.next = number.map { Song("next", plays: $0) }
  case .nextPlays: song.next?.plays = number ?? 0
  }
}

// MARK: The model

/// The rules of delivery, one observation of one actor, whose changes are made one after the other, here or on another thread.
private final class Model {
  private typealias Values = [Int?]

  private(set) var calls: [Call] = []
  private let observed: Observed
  private var (plays, title) = (0, 0)
  /// The next song's number; nil without one.
  private var next: Int?
  private var script: ArraySlice<Operation> = []
  private var observation: Observation?

  /// One life of the observation.
  private final class Observation {
    /// The values that were delivered last.
    var last: Values
    /// What the delivery under way still delivers.
    var current: [(old: Values, new: Values)] = []
    /// What waits for the next one: what other threads have changed, and what was changed here after that.
    var waiting: [(old: Values, new: Values)] = []
    var isDelivering = false
    /// Whether a coalesced call waits.
    var isCallDue = false
    /// How many calls are under way.
    var depth = 0

    init(_ values: Values) { last = values }

    /// A delivery takes what waits when it begins, and so does a call of a single change whose handler makes another one.
    func takeWaiting() {
      if current.isEmpty { (current, waiting) = (waiting, []) }
    }
  }

  init(_ observed: Observed) {
    self.observed = observed
    observe()
  }

  func perform(_ operations: [Operation]) {
    (calls, script) = ([], operations[...])
    performNext()
  }

  private func performNext() {
    guard let operation = script.popFirst() else { return }
    switch operation {
    case .set(let property, let number, let isElsewhere):
      let old = values
      switch property {
      case .plays: plays = number ?? 0
      case .title: title = number ?? 0
      case .next: next = number
      case .nextPlays:
        if next == nil { return }
        next = number
      }
      changed(property, old, isElsewhere)
    case .deliverNow: deliverNow()
    case .restart: observe()
    }
  }

  private var values: Values {
    switch observed.place {
    case .plays: [plays]
    case .nextPlays: [next]
    case .list: [plays, title]
    }
  }

  private var isCoalesced: Bool { observed.delivery.contains(.coalesced) }

  private func observe() {
    let observation = Observation(values)
    self.observation = observation
    if observed.options.contains(.initial) { call(observation, nil, values) }
  }

  private func changed(_ property: Property, _ old: Values, _ isElsewhere: Bool) {
    guard observed.contains(property), let observation else { return }
    if isCoalesced {
      observation.isCallDue = true
    } else if isElsewhere {
      observation.waiting.append((old, values))
    } else if observation.current.isEmpty && observation.waiting.isEmpty {
      deliver(observation, old, values)
      if observation.depth == 0 { deliverCurrent(observation) }
    } else {
      // It comes after what waits, and within a call after that call.
      if !observation.isDelivering { observation.takeWaiting() }
      if observation.waiting.isEmpty {
        observation.current.append((old, values))
      } else {
        observation.waiting.append((old, values))
      }
      if observation.depth == 0 { deliverCurrent(observation) }
    }
  }

  private func deliverNow() {
    guard let observation, observation.depth == 0 else { return }
    if isCoalesced {
      guard observation.isCallDue else { return }
      observation.isCallDue = false
      deliver(observation, observation.last, values)
    } else {
      observation.takeWaiting()
      deliverCurrent(observation)
    }
  }

  private func deliverCurrent(_ observation: Observation) {
    observation.isDelivering = true
    while !observation.current.isEmpty {
      let (old, new) = observation.current.removeFirst()
      deliver(observation, old, new)
    }
    observation.isDelivering = false
  }

  /// Decides whether to call, and calls.
  private func deliver(_ observation: Observation, _ old: Values, _ new: Values) {
    if observed.delivery.contains(.distinct), new == observation.last { return }
    call(observation, old, new)
  }

  private func call(_ observation: Observation, _ old: Values?, _ new: Values) {
    guard observation === self.observation else { return }
    observation.last = new
    let isList = observed.place == .list
    calls.append(
      Call(
        old: isList || !observed.options.contains(.old) ? nil : old.map { $0[0] },
        new: isList || !observed.options.contains(.new) ? nil : .some(new[0])))
    observation.depth += 1
    performNext()
    observation.depth -= 1
  }
}
