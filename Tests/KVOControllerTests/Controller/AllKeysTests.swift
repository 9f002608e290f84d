import KVOController
import Testing
import _KVOTestSupport

/// A model is observed as a whole.
@Suite struct AllKeysTests {
  class Base: KeyValueObject, @unchecked Sendable {
    @Observed var title = ""
    @Observed private var secret = 0
    @Observed var child: Base?
    @Observed var notes: [String] = []
    /// Notified by hand.
    var level = 0
    var plain = 0
    var caption: String { title + "!" }
    var childTitle: String { child?.title ?? "" }

    override class var keyPaths: [String: AnyKeyPath] {
      ["level": \Base.level, "caption": \Base.caption, "childTitle": \Base.childTitle]
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "caption": ["title"]
      case "childTitle": ["child.title"]
      default: super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }

    func setBaseSecret(_ value: Int) { secret = value }
  }

  final class Derived: Base, @unchecked Sendable {
    @Observed var size = 0
    @Observed private var secret = 0
    func setSecret(_ value: Int) { secret = value }
  }

  private let model = Derived()
  private let clerk = Clerk()

  @discardableResult
  private func begin() -> KVOObservation {
    clerk.observe(allOf: model) { clerk, model, key in clerk.note(key) }
  }

  @Test func everyPropertyIsObservedOnceForEachChange() {
    begin()
    model.title = "A"
    model.title = "A"
    model.size += 1
    model.notes.append("a")
    model.mutableArrayValue(forKey: "notes").add("b")
    model.setValue("B", forKey: "title")
    model.child = Base()
    model.child?.title = "not this model"
    model.plain = 1
    #expect(clerk.take() == ["title", "title", "size", "notes", "notes", "title", "child"])
  }

  @Test func listedKeysThatAreNotComputed() {
    begin()
    model.willChangeValue(forKey: "level")
    model.level = 3
    model.didChangeValue(forKey: "level")
    model.setValue(4, forKey: "level")
    #expect(clerk.take() == ["level", "level"])
  }

  @Test func privatePropertiesWithOneName() {
    begin()
    model.setSecret(1)
    model.setBaseSecret(1)
    #expect(clerk.take() == ["secret", "secret"])
  }

  @Test func aSubclassIsObservedAsAWholeThroughItsBase() {
    let base: Base = model
    clerk.observe(allOf: base) { clerk, base, key in clerk.note("\(base is Derived) \(key)") }
    model.size = 1
    #expect(clerk.take() == ["true size"])
  }

  @Test func itIsOneObservation() {
    clerk.observe(model, \.title) { clerk, _, _ in clerk.note("single") }
    let token = begin()
    let second = clerk.observe(allOf: model) { clerk, _, key in clerk.note("second \(key)") }
    model.title = "A"
    #expect(clerk.take().sorted() == ["second title", "single", "title"])
    // That of a key path leaves it.
    clerk.unobserve(model, \.notes)
    model.notes = []
    #expect(clerk.take().sorted() == ["notes", "second notes"])
    #expect(token.isValid && token.object === model)
    second.invalidate()
    #expect(token.isValid && !second.isValid)
    model.size = 1
    #expect(clerk.take() == ["size"])
    token.invalidate()
    model.size = 1
    model.title = "B"
    #expect(clerk.take() == ["single"])
  }

  @Test func withAnIdentifierTheSameAgainReplaces() {
    begin()
    let first = clerk.observe(allOf: model, identifier: 1) { clerk, _, key in clerk.note("first \(key)") }
    let second = clerk.observe(allOf: model, identifier: 1) { clerk, _, key in clerk.note("second \(key)") }
    #expect(!first.isValid && second.isValid && second.identifier == AnyHashable(1))
    clerk.unobserve(model, \.title, identifier: 1)
    model.title = "A"
    model.size = 1
    #expect(clerk.take().sorted() == ["second size", "second title", "size", "title"])
  }

  @Test func itEndsWithTheObserver() {
    weak var gone: Clerk?
    do {
      let clerk = Clerk()
      gone = clerk
      clerk.observe(allOf: model) { clerk, _, key in clerk.note(key) }
    }
    #expect(gone == nil && model.registrationCount == 0)
  }

  @Test func aModelWithoutProperties() {
    final class Empty: KeyValueObject {}
    let token = clerk.observe(allOf: Empty()) { _, _, _ in }
    #expect(!token.isValid)
  }

  @Test func aModelObservesItself() {
    final class Draft: Base, @unchecked Sendable {
      @Observed var isEdited = false
      func begin() { observe(allOf: self) { draft, _, key in if key != "isEdited" { draft.isEdited = true } } }
    }
    let draft = Draft()
    draft.begin()
    draft.title = "A"
    #expect(draft.isEdited)
  }

  @Test func changesOfOtherKeysWithinAChangeAreCalls() {
    begin()
    func mutate(_ notes: inout [String]) {
      notes.append("a")
      model.title = "A"
      model.setValue("B", forKey: "title")
      notes.append("b")
    }
    mutate(&model.notes)
    #expect(clerk.take() == ["title", "title", "notes"])
    clerk.unobserve(model)
    clerk.observe(allOf: model) { clerk, model, key in
      clerk.note(key)
      if key == "size", model.size < 2 { (model.size, model.title) = (2, "C") }
    }
    model.size = 1
    #expect(clerk.take() == ["size", "size", "title"])
    model.willChangeValue(forKey: "level")
    model.title = "D"
    model.setValue(1, forKey: "level")
    model.didChangeValue(forKey: "level")
    #expect(clerk.take() == ["title", "level", "level"])
  }

  /// Coding calls a setter, which makes changes of other keys.
  @Test func whatACodedSetterSetsIsACallForEachKey() {
    final class Tank: KeyValueObject {
      @Observed var level = 0
      @Observed var isFull = false
      private var stored = 0
      var volume: Int {
        get { stored }
        set {
          (stored, level) = (newValue, newValue / 2)
          isFull = newValue > 10
        }
      }
      override class var keyPaths: [String: AnyKeyPath] { ["volume": \Tank.volume] }
    }
    let tank = Tank()
    clerk.observe(allOf: tank) { clerk, _, key in clerk.note(key) }
    tank.setValue(20, forKey: "volume")
    #expect(clerk.take() == ["level", "isFull", "volume"])
    tank.setValue(true, forKey: "isFull")
    #expect(clerk.take() == ["isFull"])
  }

  @Test func itIsOneRegistration() {
    let token = begin()
    #expect(model.registrationCount == 1 && clerk.kvoController.observations.count == 1)
    #expect(token.keyPath == "title, secret, child, notes, size, secret, level")
    model.willChangeValue(forKey: "notes")
    token.invalidate()
    #expect(model.registrationCount == 0 && model.observationInfo == nil)
    model.didChangeValue(forKey: "notes")
    #expect(clerk.take() == [])
  }

  @Test func oneThreadEndsItWhileAnotherBegins() {
    let model = model
    // So that the model is observed all the time.
    let keeping = model.observe(\.child, options: []) { _, _ in }
    onThreads(2) { _ in
      let clerk = Clerk()
      for _ in 0..<500 {
        let token = clerk.observe(allOf: model, isolation: nil) { clerk, _, key in clerk.note(key) }
        model.size = 1
        token.invalidate()
        #expect(clerk.take().contains("size"))
      }
    }
    keeping.invalidate()
    #expect(model.registrationCount == 0)
  }

  @MainActor final class Store: KeyValueObject {
    var keys: [String] = []
    func begin(_ model: Base) { observe(allOf: model) { store, _, key in store.keys.append(key) } }
  }

  @MainActor @Test func anActorGetsTheKeysInOrder() async {
    let store = Store()
    let model = model
    store.begin(model)
    #expect(
      finishes {
        for _ in 0..<10 {
          model.title = "A"
          model.size += 1
          model.title = "B"
          model.notes = []
        }
      })
    while store.keys.count < 40 { await Task.yield() }
    #expect(store.keys == Array(repeating: ["title", "size", "title", "notes"], count: 10).flatMap { $0 })
  }
}
