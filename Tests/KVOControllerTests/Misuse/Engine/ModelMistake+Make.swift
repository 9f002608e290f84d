#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport

extension ModelMistake {
  /// Commits the error.
  func make() {
    switch self {
    case .removingWhatIsNotRegistered: Node().removeObserver(Recorder(), forKeyPath: "number")
    case .leavingANotificationUnhandled:
      let (node, careless) = (Node(), KeyValueObject())
      node.addObserver(careless, forKeyPath: "number", options: .new, context: nil)
      node.number = 2
    case .observingThroughACollection: Recorder().observe(Box([Node()]), "value.name", [])
    case .observingAPlainProperty: _ = Plain().observe(\.plain) { _, _ in }
    case .observingAPlainPropertyBehindAnObject: _ = Plain(next: Plain()).observe(\.next?.plain) { _, _ in }
    case .observingAValueThatIsNoObject: _ = NoObject().observe(\.number) { _, _ in }
    case .listingAKeyPathFromElsewhere: _ = Misplaced().value(forKey: "text")
    case .readingAnUndefinedKey: _ = Node().value(forKey: "missing")
    case .settingAnUndefinedKey: Node().setValue(1, forKey: "missing")
    case .settingNilForANumber: Node().setValue(nil, forKey: "number")
    case .settingAWrongType: Node().setValue("two", forKey: "number")
    case .settingAWrongTypeOfAnOptional: Node().setValue("two", forKey: "optional")
    case .readingAKeyOfAPlainValue: _ = Node().value(forKeyPath: "name.length")
    case .settingAKeyOfAPlainValue: Node().setValue(1, forKeyPath: "name.length")
    case .applyingAnUnknownOperator: _ = Box([1]).value(forKeyPath: "value.@median.self")
    case .applyingAnOperatorToNothing: _ = Box([1]).value(forKeyPath: "value.@sum")
    case .addingWhatIsNoNumber: _ = Box(["a"]).value(forKeyPath: "value.@sum.self")
    case .comparingWhatIsNot: _ = Box([1, "a"] as [Any]).value(forKeyPath: "value.@max.self")
    case .joiningWhatIsNoArray: _ = Box(["a"]).value(forKeyPath: "value.@unionOfArrays.self")
    case .puttingWhatIsNotHashableIntoASet:
      _ = Box(Set([Box(Opaque())])).value(forKeyPath: "value.@distinctUnionOfObjects.value")
    case .settingThroughAnOperator: Box([1]).setValue(2, forKeyPath: "value.@count")
    case .applyingAnOperatorToADictionary: _ = Box(["a": 1]).value(forKeyPath: "value.@sum.self")
    case .observingAnUnknownOperator: Recorder().observe(Box([1]), "value.@foo", .new)
    case .observingAnOperatorOfNoCollection: Recorder().observe(Node(), "name.@count", .new)
    default: makeWithAProxy()
    }
  }

  private func makeWithAProxy() {
    let node = Node()
    node.items = [1]
    let items = node.mutableArrayValue(forKey: "items")
    switch self {
    case .puttingAWrongTypeIntoACollection: items.add("two")
    case .reachingBeyondACollection: _ = items.object(at: 1)
    case .givingAnotherNumberOfObjects: items.insert([1, 2], at: [0])
    case .askingForAnotherForm: _ = node.mutableSetValue(forKey: "items").count
    case .askingForAProxyOfAPlainValue: _ = node.mutableArrayValue(forKeyPath: "name.items")
    case .shrinkingACollectionBeforeItsChange:
      node.items = [1, 2, 3]
      shrink(node, "items") { node.items = [] }
      items.removeObject(at: 2)
    case .shrinkingAFoundationCollectionBeforeItsChange:
      let box = Box(NSArray(object: 1))
      shrink(box, "value") { box.value = NSArray() }
      box.mutableArrayValue(forKey: "value").replaceObject(at: 0, with: 2)
    default: break
    }
  }

  /// Has a property shrunk in the call before the next change.
  private func shrink(_ object: KeyValueObject, _ key: String, _ body: @escaping () -> Void) {
    let recorder = Recorder()
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      body()
    }
    recorder.observe(object, key, .prior)
    // The observer is never released, because the process is about to end.
    _ = Unmanaged.passRetained(recorder)
  }
}

private final class Plain: KeyValueObject {
  @Observed var next: Plain?
  var plain = 0

  init(next: Plain? = nil) { self.next = next }
}

private struct NoObject: _KeyValueCodingAndObserving {
  var number = 0
}

private final class Stray: KeyValueObject {
  var label: String { "" }

}

private final class Misplaced: KeyValueObject {
  @Observed var text = ""

  override class var keyPaths: [String: AnyKeyPath] { ["label": \Stray.label] }
}

private struct Opaque {}
#endif
