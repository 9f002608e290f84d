#if KVO_STAND_INS
import KVOController
import Testing
import _KVOTestSupport

/// Where Foundation has registered observers with an object, it is notified of each change once: before the change and after it.
@Suite struct FoundationNotificationTests {
  private final class Model: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0
    @Observed var items = [1, 2]
    @Observed var tags: Set<String> = []
    var doubled: Int {
      get { 2 * number }
      set { number = newValue / 2 }
    }

    override class var keyPaths: [String: AnyKeyPath] { ["doubled": \Model.doubled] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "doubled" ? ["number"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  /// Foundation, as far as an object notifies it.
  private final class Foundation: FoundationStandIn {
    weak var model: Model?
    var calls: [String] = []
    var setters: Set<String> = []
    var readsValues = false
    var whenChanged: () -> Void = {}

    init(_ model: Model, isHidden: Bool = false) {
      self.model = model
      model.willBeObserved(by: self, isHidden: isHidden)
    }

    func willChange(_ key: String, _ mutation: Mutation) {
      calls.append("will \(key) \(model?.number ?? -1)")
      if readsValues { _ = model?.value(forKey: key) }
    }

    func didChange(_ key: String, _ mutation: Mutation) {
      calls.append("did \(key) \(model?.number ?? -1)")
      if readsValues { _ = model?.value(forKey: key) }
      let body = whenChanged
      whenChanged = {}
      body()
    }

    func hasSetter(_ key: String) -> Bool { setters.contains(key) }

    func take() -> [String] {
      defer { calls = [] }
      return calls
    }
  }

  private let model = Model()
  private let recorder = Recorder()
  private let foundation: Foundation

  init() {
    foundation = Foundation(model)
  }

  @Test(arguments: [false, true]) func aSetterNotifiesBoth(_ isObserved: Bool) {
    if isObserved { recorder.observe(model, "number", [.new, .old]) }
    model.number = 1
    #expect(foundation.take() == ["will number 0", "did number 1"])
    model.setValue(2, forKey: "number")
    #expect(foundation.take() == ["will number 1", "did number 2"])
    #expect(recorder.changes == (isObserved ? [.setting(new: 1, old: 0), .setting(new: 2, old: 1)] : []))
    if isObserved { recorder.unobserve(model, "number") }
    model.number = 3
    #expect(foundation.take() == ["will number 2", "did number 3"])
  }

  @Test func anInPlaceMutationNotifiesOnce() {
    model.number += 1
    #expect(foundation.take() == ["will number 0", "did number 1"])
    model.items.append(3)
    #expect(foundation.take() == ["will items 1", "did items 1"])
  }

  @Test func codingAndProxiesNotify() {
    model.setValue(4, forKey: "doubled")
    #expect(foundation.take() == ["will doubled 0", "will number 0", "did number 2", "did doubled 2"])
    model.mutableArrayValue(forKey: "items").add(3)
    model.mutableSetValue(forKey: "tags").add("a")
    #expect(foundation.take() == ["will items 2", "did items 2", "will tags 2", "did tags 2"])
  }

  @Test func manualNotificationsAreItsOwn() {
    recorder.observe(model, "doubled", [])
    model.willChangeValue(forKey: "doubled")
    model.didChangeValue(forKey: "doubled")
    model.willChange(.insertion, valuesAt: [0], forKey: "items")
    model.didChange(.insertion, valuesAt: [0], forKey: "items")
    #expect(foundation.take() == ["will doubled 0", "did doubled 0", "will items 0", "did items 0"])
    #expect(recorder.changes == [.setting])
    recorder.unobserve(model, "doubled")
  }

  /// Foundation replaces the setter of a class that it observes by one that notifies around the original.
  @Test(arguments: ["number", "items"]) func objectiveCSetterDoesNotNotifyWhereFoundationDoes(_ key: String) {
    foundation.setters = [key]
    recorder.observe(model, key, [.new])
    model.willChangeValue(forKey: key)
    if key == "number" { model.number = 7 } else { model.items = [7] }
    model.didChangeValue(forKey: key)
    #expect(foundation.take().count == 2)
    #expect(recorder.changes == [key == "number" ? .setting(new: 7) : .setting(new: [7])])
    // Swift calls it without Foundation's.
    model.number = 8
    #expect(foundation.take() == ["will number \(key == "number" ? 7 : 0)", "did number 8"])
    recorder.unobserve(model, key)
  }

  /// It registers with the elements of an array without calling their `addObserver`, and replaces their setters.
  @Test func anObserverThatFoundationRegistersByItselfIsFoundInASetter() {
    let model = Model()
    // All calls are made on this thread.
    nonisolated(unsafe) let foundation = Foundation(model, isHidden: true)
    recorder.observe(model, "number", [.new])
    model.number = 1
    model.willChangeValue(forKey: "number")
    model.number = 2
    model.didChangeValue(forKey: "number")
    #expect(recorder.take() == [.setting(new: 1), .setting(new: 2), .setting(new: 2)])
    #expect(foundation.take() == [])
    foundation.setters = ["number"]
    model.willChangeValue(forKey: "number")
    model.number = 3
    model.didChangeValue(forKey: "number")
    #expect(recorder.take() == [.setting(new: 3)])
    #expect(foundation.take() == ["will number 2", "did number 3"])
    model.items = []
    #expect(foundation.take() == ["will items 3", "did items 3"])
    recorder.unobserve(model, "number")
  }

  /// It isn't inside of the setter any longer, and Swift calls it without Foundation's.
  @Test func foundationsObserverMaySetThePropertyAgain() {
    foundation.setters = ["number"]
    recorder.observe(model, "number", [.new])
    foundation.whenChanged = { [model] in model.number = 8 }
    model.willChangeValue(forKey: "number")
    model.number = 7
    model.didChangeValue(forKey: "number")
    #expect(foundation.take() == ["will number 0", "did number 7", "will number 7", "did number 8"])
    #expect(recorder.changes == [.setting(new: 8), .setting(new: 8)])
    recorder.unobserve(model, "number")
  }

  /// A change that Foundation's observer begins while another one ends, and that ends after it, is a change of its own.
  @Test func aChangeThatBeginsWhileAnotherEndsIsItsOwn() {
    recorder.observe(model, "number", [.old])
    model.willChangeValue(forKey: "number")
    model.number = 1
    foundation.whenChanged = { [model] in model.willChangeValue(forKey: "number") }
    model.didChangeValue(forKey: "number")
    model.number = 2
    model.didChangeValue(forKey: "number")
    #expect(recorder.changes == [.setting(old: 0), .setting(old: 0), .setting(old: 1), .setting(old: 1)])
    recorder.unobserve(model, "number")
  }

  @Test func aSetterThatCodingCallsNotifiesFoundationItself() {
    foundation.setters = ["doubled"]
    model.setValue(4, forKey: "doubled")
    #expect(foundation.take() == ["will number 0", "did number 2"])
  }

  @Test func aKeyThatDoesNotNotifyAutomaticallyIsLeftToItsClass() {
    final class Manual: KeyValueObject, @unchecked Sendable {
      @Observed var number = 0
      @Observed var items = [1]
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
    }
    final class Calls: FoundationStandIn {
      var count = 0
      func willChange(_ key: String, _ mutation: Mutation) { count += 1 }
      func didChange(_ key: String, _ mutation: Mutation) { count += 1 }
      func hasSetter(_ key: String) -> Bool { false }
    }
    let (model, calls) = (Manual(), Calls())
    model.willBeObserved(by: calls)
    model.number = 1
    model.number += 1
    model.setValue(3, forKey: "number")
    model.mutableArrayValue(forKey: "items").add(2)
    #expect(calls.count == 0)
    model.willChangeValue(forKey: "number")
    model.number = 4
    model.didChangeValue(forKey: "number")
    #expect(calls.count == 2)
  }

  /// An observer that changes the property again begins another change, and Foundation's first one must be over by then.
  @Test func noObserverOfTheEngineIsCalledWithinAChangeOfFoundation() {
    // All calls are made on this thread.
    nonisolated(unsafe) let foundation = foundation
    let token = model.observe(\.number, options: .prior) { _, change in
      foundation.calls.append(change.isPrior ? "prior" : "change")
    }
    let calls = { [foundation] in foundation.take().map { String($0.prefix { $0 != " " }) } }
    model.number = 1
    #expect(calls() == ["prior", "will", "did", "change"])
    model.number += 1
    #expect(calls() == ["prior", "will", "did", "change"])
    model.setValue(3, forKey: "number")
    #expect(calls() == ["prior", "will", "did", "change"])
    model.willChangeValue(forKey: "number")
    model.didChangeValue(forKey: "number")
    #expect(calls() == ["prior", "will", "did", "change"])
    token.invalidate()
  }

  @Test func whatFoundationReadsIsNoDependencyOfAGetter() {
    final class Reader: KeyValueObject, @unchecked Sendable {
      @Observed var base = 1
      let model: Model
      init(_ model: Model) {
        self.model = model
        super.init()
      }
      var sum: Int {
        model.number += 1
        return base
      }
    }
    let reader = Reader(model)
    foundation.readsValues = true
    // All calls are made on this thread.
    nonisolated(unsafe) var sums: [Int?] = []
    let token = reader.observe(\.sum, options: .new) { _, change in sums.append(change.newValue) }
    model.items = []
    #expect(sums == [])
    reader.base = 2
    #expect(sums == [2])
    token.invalidate()
  }

  @Test func pairsStayPairsWhenFoundationComesDuringAChange() {
    let model = Model()
    nonisolated(unsafe) var foundation: Foundation?
    let token = model.observe(\.number) { model, _ in
      if foundation == nil { foundation = Foundation(model) }
    }
    model.number = 1
    #expect(foundation?.take() == [])
    model.number = 2
    #expect(foundation?.take() == ["will number 1", "did number 2"])
    token.invalidate()
  }
}
#endif
