import KVOController
import Testing

/// Random operations on controllers and on a model of them, which must agree after each.
///
/// `KVO_SEED=… swift test --filter RandomOperationsTests` runs the same operations again.
@Suite struct RandomOperationsTests {
  @Test func controllersDoWhatTheModelDoes() {
    let seed = RandomNumbers.seed
    print("KVO_SEED=\(seed)")
    for run in 0..<40 {
      var run = Run(seed: seed &+ UInt64(run))
      for step in 0..<300 {
        let operation = run.step()
        let heard = run.heard.withLock { heard in
          defer { heard = [] }
          return heard.sorted()
        }
        let hint: Comment = "KVO_SEED=\(seed), run with \(run.seed), step \(step): \(operation)"
        let expected = run.model.take()
        guard heard == expected, run.living == Set(run.model.objects.keys) else {
          #expect(heard == expected, hint)
          #expect(run.living == Set(run.model.objects.keys), hint)
          return
        }
      }
      let lives = run.lives
      let controllers = run.controllers.values.map { Weak($0) }
      run = Run(seed: 0)
      #expect(lives.values.allSatisfy { !$0.isAlive })
      #expect(controllers.allSatisfy { !$0.isAlive })
    }
  }

  /// Writes what it hears into a log that outlives it.
  final class Reporter: Watcher, @unchecked Sendable {
    let number: Int
    let heard: Locked<[String]>

    init(_ number: Int, _ heard: Locked<[String]>) {
      self.number = number
      self.heard = heard
    }

    func write(_ way: Form.Way, _ keyPath: String?, _ object: Any?, _ change: Change, _ context: Int = 0) {
      var change = change
      if way == .block, change.removeValue(forKey: .keyPathKey) != keyPath.map({ AnyHashable($0) }) { change = [:] }
      let line = ReferenceModel.line(
        number, Form(way: way), keyPath ?? "", (object as? Circle)?.number ?? 0, change, context)
      heard.withLock { $0.append(line) }
    }

    override func redraw() {
      write(.action, nil, nil, [:])
    }

    override func update(change: [NSKeyValueChangeKey: Any]) {
      write(.changeAction, nil, nil, Change(change))
    }

    override func update(change: [NSKeyValueChangeKey: Any], object: Any) {
      write(.objectAction, nil, object, Change(change))
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      write(.context, keyPath, object, Change(change ?? [:]), Int(bitPattern: context))
    }
  }

  /// The real things beside their model.
  struct Run {
    let seed: UInt64
    var model = ReferenceModel()
    let heard = Locked<[String]>([])
    var controllers: [Int: KVOController] = [:]
    var reporters: [Int: Reporter] = [:]
    var circles: [Int: Circle] = [:]
    var lives: [Int: Weak<Circle>] = [:]
    private var numbers: RandomNumbers
    private var latest = 0

    init(seed: UInt64) {
      self.seed = seed
      numbers = RandomNumbers(seed: seed)
    }

    var living: Set<Int> { Set(lives.filter { $0.value.isAlive }.keys) }

    private mutating func number() -> Int {
      latest += 1
      return latest
    }

    private mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }

    private mutating func randomKeyPath() -> String {
      ["radius", "diameter", "center.x"].randomElement(using: &numbers) ?? ""
    }

    /// Does one operation here and in the model, and tells which.
    mutating func step() -> String {
      if controllers.count < 3 { return makeController() }
      if model.objects.count < 4 { return makeObject() }
      switch Int.random(in: 0..<100, using: &numbers) {
      case ..<40: return observe()
      case ..<75: return change()
      case ..<92: return unobserve()
      default: return drop()
      }
    }

    private mutating func makeController() -> String {
      let number = number()
      let isRetaining = isOne(in: 2)
      let reporter = Reporter(number, heard)
      reporters[number] = reporter
      controllers[number] = KVOController(observer: reporter, retainObserved: isRetaining)
      model.controllers[number] = .init(isRetaining: isRetaining)
      return "make controller \(number)"
    }

    private mutating func makeObject() -> String {
      let number = number()
      let circle = isOne(in: 2) ? Circle(number) : Twin(number)
      circles[number] = circle
      lives[number] = Weak(circle)
      model.objects[number] = .init()
      return "make object \(number)"
    }

    /// A controller and an object that live, though perhaps only controllers hold the object.
    private mutating func pair() -> (Int, KVOController, Int, Circle)? {
      guard let (number, controller) = controllers.sorted(by: { $0.key < $1.key }).randomElement(using: &numbers),
        let object = model.objects.keys.sorted().randomElement(using: &numbers), let circle = lives[object]?.object
      else { return nil }
      return (number, controller, object, circle)
    }

    private mutating func observe() -> String {
      guard let (number, controller, object, circle) = pair(), let form = Form.all.randomElement(using: &numbers)
      else { return "nothing" }
      let identifier = form.way == .context || isOne(in: 2) ? nil : Int.random(in: 0..<3, using: &numbers)
      let options = NSKeyValueObservingOptions(rawValue: .random(in: 0..<16, using: &numbers))
      let observation = ReferenceModel.Observation(
        controller: number, object: object, keyPath: randomKeyPath(), identifier: identifier, form: form,
        options: options, number: self.number())
      model.observe(observation)
      if form.way == .block {
        let block: KVONotificationBlock = { observer, object, change in
          (observer as? Reporter)?
            .write(.block, observation.keyPath, object, Change(change), observation.number)
        }
        controller.observe(
          circle, keyPath: observation.keyPath, options: options, identifier: identifier, block: block)
      } else {
        controller.observe(
          circle, observation.keyPath, as: form, options: options, identifier: identifier, number: observation.number)
      }
      return "observe \(observation)"
    }

    private mutating func unobserve() -> String {
      guard let (number, controller, object, circle) = pair() else { return "nothing" }
      let keyPath = randomKeyPath()
      let identifier = Int.random(in: 0..<3, using: &numbers)
      switch Int.random(in: 0..<10, using: &numbers) {
      case ..<4:
        controller.unobserve(circle, keyPath: keyPath)
        model.unobserve { $0.controller == number && $0.object == object && $0.keyPath == keyPath }
        return "\(number) unobserves \(keyPath) of \(object)"
      case ..<8:
        controller.unobserve(circle, keyPath: keyPath, identifier: identifier)
        model.unobserve {
          $0.controller == number && $0.object == object && $0.keyPath == keyPath && $0.identifier == identifier
        }
        return "\(number) unobserves \(keyPath) of \(object), identifier \(identifier)"
      case 8:
        controller.unobserve(circle)
        model.unobserve { $0.controller == number && $0.object == object }
        return "\(number) unobserves \(object)"
      default:
        controller.unobserveAll()
        model.unobserve { $0.controller == number }
        return "\(number) unobserves all"
      }
    }

    private mutating func change() -> String {
      guard let (_, _, number, circle) = pair() else { return "nothing" }
      let value = Int.random(in: 0..<3, using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0, 1:
        circle.radius = value
        model.change(number, ["radius", "diameter"]) { $0.radius = value }
        return "radius of \(number) = \(value)"
      case 2:
        let center = isOne(in: 3) ? nil : Point(x: value)
        circle.center = center
        model.change(number, ["center.x"]) { $0.x = center.map { _ in value } }
        return "center of \(number) = \(center.map { _ in "\(value)" } ?? "nil")"
      default:
        guard let center = circle.center else { return "nothing" }
        center.x = value
        model.change(number, ["center.x"]) { $0.x = value }
        return "center.x of \(number) = \(value)"
      }
    }

    private mutating func drop() -> String {
      guard let (controller, _, _, _) = pair() else { return "nothing" }
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0:
        controllers[controller] = nil
        reporters[controller] = nil
        model.dropController(controller)
        return "drop controller \(controller)"
      case 1:
        reporters[controller] = nil
        model.controllers[controller]?.hasObserver = false
        return "drop observer of \(controller)"
      default:
        guard let number = circles.keys.sorted().randomElement(using: &numbers) else { return "nothing" }
        circles[number] = nil
        model.dropObject(number)
        return "drop object \(number)"
      }
    }
  }
}
