#if canImport(Observation)
import KVOController
import _KVOTestSupport
import _RandomPrograms
import Observation
import Testing

/// A model that conforms to `Observable`, compared with a class that the macro makes observable.
@Suite(.watched) struct ObservableMacroTests {
  @Test func trackingsOfAModelNotifyAsThoseOfAMacrosClass() {
    let failure = RandomRun.failure(operations: 10_000, inProgramsOf: 250) { choices, steps in
      let expected = TrackingProgram(choices, make: MacroModel.init).run(steps)
      let seen = TrackingProgram(choices, make: ObservedModel.init).run(steps)
      guard expected != seen else { return nil }
      let difference = zip(expected, seen).enumerated().first { $1.0 != $1.1 }
      return "line \(difference?.offset ?? -1), \(difference.map { "\($1)" } ?? "one is longer")"
    }
    #expect(failure == nil, "\(failure ?? "")")
  }
}

private protocol ComparedModel: AnyObject, Observable, Sendable {
  var number: Int { get set }
  var list: [Int] { get set }
  var text: String { get set }
  var child: Self? { get set }
}

@Observable
private final class MacroModel: ComparedModel, @unchecked Sendable {
  var number = 0
  var list: [Int] = []
  var text = ""
  var child: MacroModel?
}

private final class ObservedModel: KeyValueObject, ComparedModel, @unchecked Sendable {
  @Observed var number = 0
  @Observed var list: [Int] = []
  @Observed var text = ""
  @Observed var child: ObservedModel?
}

/// A random program that reads models with and without tracking, changes them, and replaces them.
///
/// Every change gives another value, because the macro ignores equal ones.
private struct TrackingProgram<Model: ComparedModel> {
  private var choices: Choices
  private let make: () -> Model
  private var models: [Model]
  private var latest = 0
  private let log = Locked<[String]>([])

  init(_ choices: Choices, make: @escaping () -> Model) {
    self.choices = choices
    self.make = make
    models = (0..<3).map { _ in make() }
  }

  /// What the reads gave, and which trackings ended with which values. The order of trackings that end with one change is
  /// undefined, so they are sorted.
  consuming func run(_ steps: Range<Int>) -> [String] {
    for step in steps { perform(step) }
    for model in models { model.child = nil }
    var lines: [String] = []
    var ended: [String] = []
    for line in log.current {
      if line.hasPrefix("tracking") {
        ended.append(line)
      } else {
        lines += ended.sorted() + [line]
        ended = []
      }
    }
    return lines + ended.sorted()
  }

  private mutating func perform(_ step: Int) {
    let model = choices.pick(models)
    latest += 1
    switch choices.below(13) {
    case 0...2: track(model, step)
    case 3: write(read(model, choices.below(6)))
    case 4: model.number = latest
    case 5: model.number += 1_000_000
    case 6: model.list.append(latest)
    case 7: model.list = [latest]
    case 8: model.text = "\(latest)"
    case 9: model.text.append("a")
    case 10: setChild(of: model, to: choices.pick(models))
    case 11: model.child?.number = latest
    default:
      if model.list.isEmpty { replaceModel() } else { model.list[0] = latest }
    }
    write("\(model.number) \(model.list) \(model.text)")
  }

  private mutating func track(_ model: Model, _ step: Int) {
    let ways = (0...choices.below(3)).map { _ in choices.below(6) }
    let values = withObservationTracking {
      ways.map { read(model, $0) }
    } onChange: { [log, weak model] in
      let values = model.map { "\($0.number) \($0.list) \($0.text)" } ?? "nothing"
      log.append("tracking \(step): \(values)")
    }
    write(values.joined(separator: " "))
  }

  private func read(_ model: Model, _ way: Int) -> String {
    switch way {
    case 0: "\(model.number)"
    case 1: "\(model.list.count)"
    case 2: model.text
    case 3: "\(model.child?.number ?? -1)"
    case 4: "\(model.child?.list.last ?? -1)"
    default: "\(model.number) \(model.text)"
    }
  }

  private func setChild(of model: Model, to child: Model) {
    if model.child !== child { model.child = child }
  }

  private mutating func replaceModel() {
    for model in models where model.child != nil { model.child = nil }
    models[choices.below(models.count)] = make()
  }

  private func write(_ line: String) {
    log.append(line)
  }
}
#endif
