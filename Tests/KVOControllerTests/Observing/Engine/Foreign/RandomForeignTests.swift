#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport
import _RandomPrograms

/// Random programs with objects of both kinds.
///
/// `KVO_SEED` in the environment repeats a run, `KVO_STEPS` says how many operations it has. A failure says which seed
/// it had.
@Suite(.watched, .sound) struct RandomForeignTests {
  /// Each observation receives what the model says, which knows how Foundation differs.
  @Test func observersReceiveWhatTheModelSays() {
    let failure = RandomRun.failure(operations: 30_000, inProgramsOf: 60) { choices, steps in
      let world = MixedWorld(choices)
      return steps.firstFailure { world.perform() } ?? world.end()
    }
    #expect(failure == nil, "\(failure ?? "")")
  }

  /// Handlers change and end what they observe. With foreign objects anywhere they receive what they receive from objects of
  /// the engine's, of which other random programs show that it is right.
  @Test func handlersMayChangeWhatTheyObserve() {
    let failure = RandomRun.failure(operations: 30_000, inProgramsOf: 60) { choices, _ in
      let placement = choices.pick(Placement.allCases.filter { $0 != .nowhere })
      let (mixed, own) = (ReentrantRun(choices, placement).events, ReentrantRun(choices, .nowhere).events)
      guard mixed != own else { return nil }
      let first = zip(mixed, own).enumerated().first { $1.0 != $1.1 }?.offset ?? min(mixed.count, own.count)
      let range = max(0, first - 20)..<(first + 4)
      return "\(placement): \(mixed.enumerated().filter { range ~= $0.0 }.map(\.1)) instead of "
        + "\(own.enumerated().filter { range ~= $0.0 }.map(\.1))"
    }
    #expect(failure == nil, "\(failure ?? "")")
  }
}

/// Objects of both kinds, their model, and what observes them.
private final class MixedWorld {
  private static let paths =
    ["", "child.", "child.child."].flatMap { prefix in ["number", "total", "child", "sum"].map { prefix + $0 } }

  private var choices: Choices
  private let observer = Recorder()
  private let controllers: [KVOController]
  private var nodes: [KeyValueObject] = []
  private var models: [ModelMixedNode] = []
  private var identifiers: [ObjectIdentifier: Int] = [:]
  private var registrations: [(id: Int, controller: Int, keyPath: String, model: ModelMixedRegistration)] = []
  private var received: [Int: [String]] = [:]
  private var latest = 0

  init(_ choices: Choices) {
    self.choices = choices
    controllers = [true, false].map { [observer] in KVOController(observer: observer, retainObserved: $0) }
    for _ in 0..<6 {
      let (node, model) = newNode()
      nodes.append(node)
      models.append(model)
    }
  }

  private func newNode() -> (KeyValueObject, ModelMixedNode) {
    latest += 1
    let isForeign = choices.isOne(in: 2)
    let node: KeyValueObject = isForeign ? ForeignMixedNode() : OwnMixedNode()
    node.setValue(0, forKey: "number")
    node.setValue(1, forKey: "factor")
    identifiers[ObjectIdentifier(node)] = latest
    return (node, ModelMixedNode(latest, isForeign: isForeign))
  }

  /// - Returns: How the model differs.
  func perform() -> String? {
    let index = choices.below(nodes.count)
    var expected: [Int: [String]] = [:]
    var operation: String
    switch choices.below(12) {
    case 0...2:
      operation = observe(index, &expected)
    case 3:
      let path = choices.pick(Self.paths)
      let controller = choices.below(2)
      operation = "unobserve \(models[index].id) \(path)"
      controllers[controller].unobserve(nodes[index], keyPath: path)
      registrations.removeAll {
        $0.controller == controller && $0.keyPath == path && $0.model.root === models[index]
      }
    case 4:
      // A new object in the place of another, which may be deallocated now.
      let (node, model) = newNode()
      operation = "\(models[index].id) becomes \(model.id)"
      (nodes[index], models[index]) = (node, model)
    case 5...8:
      let key = choices.pick(["number", "factor"])
      let number = choices.below(9)
      operation = "set \(key) of \(models[index].id) to \(number)"
      change(key, of: index, &expected) { node, model in
        node.setValue(number, forKey: key)
        if key == "number" { model.number = number } else { model.factor = number }
      }
    default:
      // No cycles, so that objects are deallocated.
      let child = choices.below(nodes.count + 1)
      let isThere = child < nodes.count && child > index
      operation = "set child of \(models[index].id) to \(isThere ? models[child].id : 0)"
      change("child", of: index, &expected) { node, model in
        node.setValue(isThere ? nodes[child] : nil, forKey: "child")
        model.child = isThere ? models[child] : nil
      }
    }
    registrations.removeAll { $0.model.root == nil }
    defer { received = [:] }
    return received == expected ? nil : "\(operation): \(received) instead of \(expected)"
  }

  private func observe(_ index: Int, _ expected: inout [Int: [String]]) -> String {
    latest += 1
    let (id, path) = (latest, choices.pick(Self.paths))
    let options = NSKeyValueObservingOptions(rawValue: UInt(choices.below(16)))
    let controller = choices.below(2)
    controllers[controller].observe(nodes[index], keyPath: path, options: options, identifier: id) {
      [unowned self] _, _, change in
      received[id, default: []].append(describe(change))
    }
    let model = ModelMixedRegistration(models[index], path, options, isRetaining: controller == 0)
    registrations.append((id, controller, path, model))
    if options.contains(.initial) { expected[id] = ["- \(options.contains(.new) ? model.value : "-")"] }
    return "observe \(path) of \(models[index].id) with \(options.rawValue) as \(id)"
  }

  private func change(
    _ key: String, of index: Int, _ expected: inout [Int: [String]], _ body: (KeyValueObject, ModelMixedNode) -> Void
  ) {
    let (node, model) = (nodes[index], models[index])
    let receivers = registrations.filter { $0.model.root != nil }.map {
      (registration: $0, count: $0.model.calls(for: key, of: model), old: $0.model.value)
    }
    body(node, model)
    for (registration, count, old) in receivers where count > 0 {
      let options = registration.model.options
      let oldText = options.contains(.old) ? old : "-"
      let new = options.contains(.new) ? registration.model.value : "-"
      if options.contains(.prior) { expected[registration.id] = Array(repeating: "\(oldText) - prior", count: count) }
      expected[registration.id, default: []] += Array(repeating: "\(oldText) \(new)", count: count)
    }
  }

  private func describe(_ change: [NSKeyValueChangeKey: Any]) -> String {
    let values = [NSKeyValueChangeKey.oldKey, .newKey].map { key in
      switch change[key] {
      case nil: "-"
      case is NSNull: "null"
      case let object as KeyValueObject: "object \(identifiers[ObjectIdentifier(object)] ?? 0)"
      case let value?: "\(value)"
      }
    }
    return values.joined(separator: " ") + (change[.notificationIsPriorKey] == nil ? "" : " prior")
  }

  /// - Returns: Which objects are still observed when nothing observes any longer.
  func end() -> String? {
    for controller in controllers { controller.unobserveAll() }
    let observed = nodes.enumerated().filter { ($1 as? ForeignNode)?.registeredKeyPaths.isEmpty == false }
    return observed.isEmpty ? nil : "objects are still observed: \(observed.map { models[$0.offset].id })"
  }
}

/// A program of which one handler does a part.
private struct ReentrantRun {
  private(set) var events: [String] = []

  init(_ choices: Choices, _ placement: Placement) {
    let run = Run(choices, placement)
    for _ in 0..<20 { run.step(isNested: false) }
    run.controller.unobserveAll()
    run.observe = nil
    events = run.events
  }

  private final class Run {
    private static let paths = ["child.child.number", "child.child.child", "child.number"]

    private let observer = Recorder()
    let controller: KVOController
    private let root: KeyValueObject
    private let middles: [KeyValueObject]
    private let ends: [KeyValueObject]
    private var choices: Choices
    private let hasPriorCalls: Bool
    /// How many calls of the handler do something.
    private var script = 0
    var events: [String] = []
    var observe: (() -> Void)?

    init(_ choices: Choices, _ placement: Placement) {
      self.choices = choices
      // From a retained foreign object, a path that leads through foreign objects only, as far as it leads, is a registration
      // of Foundation's, which doesn't send the partner of a prior call if the object has left the path meanwhile.
      let isRetaining = self.choices.isOne(in: 2) && !placement.isForeign(at: 0)
      let arrangement = Arrangement(placement: placement, isRetaining: isRetaining)
      controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
      root = arrangement.node(0)
      middles = [arrangement.node(1, 1), arrangement.node(1, 2)]
      ends = [arrangement.node(2, 3), arrangement.node(2, 4), arrangement.node(2, 5)]
      let path = self.choices.pick(Self.paths)
      let options = NSKeyValueObservingOptions(rawValue: UInt(self.choices.below(16)))
      hasPriorCalls = options.contains(.prior)
      events.append("\(path) \(options.rawValue)")
      observe = { [unowned self] in
        controller.observe(root, keyPath: path, options: options) { [unowned self] _, _, change in
          let values = [NSKeyValueChangeKey.oldKey, .newKey].map { key in
            change[key].map { $0 is KeyValueObject ? "object" : "\($0)" } ?? "-"
          }
          events.append("\(values)\(change[.notificationIsPriorKey] == nil ? "" : " prior")")
          guard script > 0 else { return }
          script -= 1
          step(isNested: true)
        }
      }
      observe?()
    }

    func step(isNested: Bool) {
      let number = choices.below(100)
      let operation = choices.below(10)
      let (middle, end) = (middles[number % 2], ends[number % 3])
      // The partner of a prior call that has led away from a foreign object comes earlier, when the object is left, which
      // shows if a call after it makes changes.
      if !isNested { script = hasPriorCalls ? min(1, number % 3) : number % 5 }
      events.append("\(isNested ? "  " : "")\(operation) \(number)")
      switch operation {
      case 0: controller.unobserveAll()
      case 1, 2: observe?()
      case 3, 4: root.setValue(number > 80 ? nil : middle, forKey: "child")
      case 5, 6: middle.setValue(number > 80 ? nil : end, forKey: "child")
      case 7: middle.setValue(number, forKey: "number")
      default: end.setValue(number, forKey: "number")
      }
    }
  }
}
#endif
