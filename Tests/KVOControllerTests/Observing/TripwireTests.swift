import KVOController
import Testing
import _KVOTestSupport
import _RandomPrograms

/// Whatever users pass is a tripwire: in the check `locks` the process stops if one is compared, hashed, or released with a lock. In
/// other builds these are tests of storms and of what must not hang.
@Suite(.watched) struct TripwireTests {
  private final class Model: KeyValueObject, @unchecked Sendable {
    @Observed var value = Tripwire()
    @Observed var number = 0
    @Observed var child: Model?
    @Observed var children: [Model] = []
    @ObservedWeak var parent: Model?
    /// What an undeclared key has, and the closure of a computed one.
    private let released = Tripwire()

    var computed: Tripwire { Tripwire(number) }
    var double: Int { number * 2 }
    /// Observes the same key path when it is first read.
    var reentrant: Int {
      if let observed {
        self.observed = nil
        observed()
      }
      return number
    }
    var observed: (() -> Void)?
    subscript(argument: Tripwire) -> Int { number + argument.number }

    override class var keyPaths: [String: AnyKeyPath] { ["computed": \Model.computed] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "computed" ? ["number"] : []
    }

    override func value(forUndefinedKey key: String) -> Any? { Tripwire() }

    deinit { requireNoLock("a model is released") }
  }

  private final class Observer: KeyValueObject, @unchecked Sendable {
    @Observed var bound = Tripwire()
    @Observed var number = 0
    private let held = Tripwire()
  }

  static let rounds = isSanitized ? 100 : 300

  @Test func threadsObserveKeysThatTheClassDoesNotDeclare() {
    let count = Locked(0)
    onThreads(4) { thread in
      let (model, observer) = (Model(), Observer())
      for round in 1...(10 * Self.rounds) {
        let captured = Tripwire()
        observer.kvoController.observe(model, keyPath: "undeclared", options: round % 3 == 0 ? .new : []) { _, _, _ in
          withExtendedLifetime(captured) { count.add() }
        }
        model.willChangeValue(forKey: "undeclared")
        model.didChangeValue(forKey: "undeclared")
        observer.kvoController.unobserve(model)
      }
    }
    #expect(count.current == 40 * Self.rounds)
  }

  @Test func everythingThatIsPassedIsATripwire() {
    onThreads(2) { _ in
      for round in 1...Self.rounds { Self.useOnce(round) }
    }
  }

  @Test func threadsShareTripwires() {
    let model = Model()
    model.child = Model()
    onThreads(3) { thread in
      for round in 1...Self.rounds {
        if thread == 0 {
          model.number = round
          if round % 8 == 0 { model.child = Model() }
          model.child?.number = round
        } else {
          Self.observe(model, Observer(), round)
        }
      }
    }
    #expect(model.registrationCount == 0)
  }

  private static func useOnce(_ round: Int) {
    let (model, observer) = (Model(), Observer())
    model.parent = Model()
    observe(model, observer, round)
    model.value = Tripwire(round)
    model.setValue(Tripwire(), forKey: "value")
    model.number += 1
    model.child = Model()
    model.child?.number = 1
    model.child = nil
    model.children = [Model(), Model()]
    model.children[0].number = 2
    model.mutableArrayValue(forKey: "children").removeAllObjects()
    if round % 2 == 0 { observer.unobserve(model) }
  }

  private static func observe(_ model: Model, _ observer: Observer, _ round: Int) {
    let captured = Tripwire()
    let use = { withExtendedLifetime(captured) {} }
    let options: NSKeyValueObservingOptions = [.old, .new, .initial, .prior]
    let identifier = Tripwire(round % 3)
    observer.observe(model, \.value, options: options, identifier: identifier) { _, _, _ in use() }
    observer.observe(model, \.value, options: options, identifier: identifier) { _, _, change in
      _ = change.changesValue
      use()
    }
    observer.observe(model, \.computed, options: options) { _, _, _ in use() }
    observer.observe(model, \.double, options: options) { _, _, _ in use() }
    observer.observe(model, \.child?.number, options: options) { _, _, _ in use() }
    observer.observe(model, \.child?.computed, options: options) { _, _, _ in use() }
    observer.observe(model, \.[Tripwire(round % 2)], options: options) { _, _, _ in use() }
    observer.observe(model, \.parent?.number, options: options) { _, _, _ in use() }
    observer.observe(model, [\.value, \.number], identifier: identifier) { _, _ in use() }
    observer.observe(model, elements: \.children, \.number) { _, _, _ in use() }
    observer.observe(allOf: model) { _, _, _ in use() }
    observer.bind(model, \.value, to: \.bound)
    observer.bind(model, \.value, to: \.number) { $0.number }
    observer.kvoController.observe(model, keyPath: "undeclared", options: options) { _, _, _ in use() }
    observer.unobserve(model, \.[Tripwire(round % 2)])
    observer.kvoController.unobserve(model, \.value, identifier: identifier)
    _ = observer.kvoController.debugDescription
    _ = model.observersDescription
  }

  @Test func aGetterThatIsReadToBeResolvedMayObserveTheSameKeyPath() {
    let (model, observer) = (Model(), Observer())
    let count = Locked(0)
    model.observed = { [unowned model] in
      observer.observe(model, \.reentrant, options: .new) { _, _, _ in count.add() }
    }
    observer.observe(model, \.reentrant, options: .new) { _, _, _ in count.add() }
    model.number = 1
    #expect(count.current == 2)
  }
}
