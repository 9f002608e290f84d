import KVOController
import Testing
import _KVOTestSupport

@Suite struct KeyValueCodingTests {
  let recorder = Recorder()

  @Test func everyObservedPropertyIsReadAndSet() {
    let node = Node("a", number: 1)
    #expect(node.value(forKey: "name") as? String == "a")
    #expect(node.value(forKey: "number") as? Int == 1)
    #expect(node.value(forKey: "items") as? [Int] == [])
    #expect(node.value(forKey: "child") == nil)
    let child = Node("child")
    node.setValue("b", forKey: "name")
    node.setValue(2, forKey: "number")
    node.setValue([3], forKey: "items")
    node.setValue(child, forKey: "child")
    #expect(node.name == "b" && node.number == 2 && node.items == [3] && node.child === child)
    #expect(node.value(forKey: "child") as? Node === child)
    node.setValue(nil, forKey: "child")
    #expect(node.child == nil)
  }

  @Test func anOptionalIsReadUnwrapped() {
    let node = Node()
    #expect(node.value(forKey: "optional") == nil)
    node.setValue(5, forKey: "optional")
    #expect(node.optional == 5)
    #expect(node.value(forKey: "optional").map { Mirror(reflecting: $0).displayStyle == .optional } == false)
    #expect(node.value(forKey: "optional") as? Int == 5)
    node.setValue(nil, forKey: "optional")
    #expect(node.optional == nil)
    node.setValue(6 as Int?, forKey: "optional")
    #expect(node.optional == 6)
  }

  @Test func listedKeysAreReadAndSet() {
    let person = Person("Ada", "Byron")
    #expect(person.value(forKey: "fullName") as? String == "Ada Byron")
    #expect(person.value(forKey: "greeting") as? String == "Dear Ada Byron")
    person.setValue("Alan Turing", forKey: "fullName")
    #expect(person.first == "Alan" && person.last == "Turing")
    let (node, friend) = (Node(), Node())
    node.setValue(friend, forKey: "friend")
    #expect(node.friend === friend)
    node.setValue(nil, forKey: "friend")
    #expect(node.value(forKey: "friend") == nil)
  }

  // MARK: Notification

  @Test func settingNotifiesLikeTheSetterOnce() {
    let node = Node("a", number: 1)
    recorder.observe(node, "number", [.prior, .new, .old])
    node.setValue(2, forKey: "number")
    #expect(recorder.take() == [.prior(old: 1), .setting(new: 2, old: 1)])
    node.setValue(2, forKeyPath: "number")
    #expect(recorder.take() == [.prior(old: 2), .setting(new: 2, old: 2)])
    node.setValuesForKeys(["number": 3])
    #expect(recorder.take() == [.prior(old: 2), .setting(new: 3, old: 2)])
  }

  @Test func settingThroughAPathNotifiesOnce() {
    let node = Node("a", child: Node("b"))
    recorder.observe(node, "child.name")
    node.setValue("c", forKeyPath: "child.name")
    #expect(recorder.take() == [.setting(new: "c", old: "b")])
  }

  private final class Plain: KeyValueObject {
    var plain = 1
    var double: Int { plain * 2 }
    override class var keyPaths: [String: AnyKeyPath] { ["plain": \Plain.plain, "double": \Plain.double] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "double" ? ["plain"] : []
    }
  }

  @Test func aListedKeyIsNotifiedByKVCItself() {
    let model = Plain()
    recorder.observe(model, "plain", [.prior, .new, .old])
    model.plain = 2
    #expect(recorder.take() == [])
    model.setValue(3, forKey: "plain")
    #expect(recorder.take() == [.prior(old: 2), .setting(new: 3, old: 2)])
  }

  @Test func aListedKeyThatSetsWhatItDependsOnNotifiesOnce() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "fullName", [.prior, .new, .old])
    person.setValue("Augusta King", forKey: "fullName")
    #expect(recorder.take() == [.prior(old: "Ada Byron"), .setting(new: "Augusta King", old: "Ada Byron")])
    person.first = "A."
    #expect(recorder.take() == [.prior(old: "Augusta King"), .setting(new: "A. King", old: "Augusta King")])
  }

  @Test func propertySetByASetterNotifiesItsObservers() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "first")
    recorder.observe(person, "last")
    recorder.observe(person, "fullName", [])
    person.setValue("Augusta King", forKey: "fullName")
    let calls = Dictionary(grouping: recorder.calls) { $0.keyPath ?? "" }.mapValues { $0.compactMap(\.change) }
    #expect(
      calls == [
        "first": [.setting(new: "Augusta", old: "Ada")], "last": [.setting(new: "King", old: "Byron")],
        "fullName": [.setting],
      ])
  }

  @Test func aListedKeyThroughAPathNotifiesOnce() {
    let box = Box<Person?>(Person("Ada", "Byron"))
    recorder.observe(box, "value.fullName")
    box.setValue("Augusta King", forKeyPath: "value.fullName")
    #expect(recorder.take() == [.setting(new: "Augusta King", old: "Ada Byron")])
  }

  @Test func dependentOfADeclaredKeyIsNotified() {
    let model = Plain()
    recorder.observe(model, "double")
    model.setValue(3, forKey: "plain")
    #expect(recorder.take() == [.setting(new: 6, old: 2)])
  }

  @Test func nestedSettersOfListedKeysNotifyOnce() {
    final class Nested: KeyValueObject {
      @Observed var base = 1
      var twice: Int {
        get { base * 2 }
        set { setValue(newValue / 2, forKey: "base") }
      }
      var fourfold: Int {
        get { twice * 2 }
        set { setValue(newValue / 2, forKey: "twice") }
      }
      override class var keyPaths: [String: AnyKeyPath] { ["twice": \Nested.twice, "fourfold": \Nested.fourfold] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        ["twice": ["base"], "fourfold": ["twice"]][key] ?? []
      }
    }
    let model = Nested()
    recorder.observe(model, "fourfold")
    model.setValue(40, forKey: "fourfold")
    #expect(model.base == 10)
    #expect(recorder.take() == [.setting(new: 40, old: 4)])
    model.base = 1
    #expect(recorder.take() == [.setting(new: 4, old: 40)])
  }

  @Test func aChangeInsideACallOfAListedKeyIsAnotherChange() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "fullName")
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      person.last = "Lovelace"
    }
    person.setValue("Augusta King", forKey: "fullName")
    #expect(
      recorder.take() == [
        .setting(new: "Augusta King", old: "Ada Byron"), .setting(new: "Augusta Lovelace", old: "Augusta King"),
      ])
  }

  // MARK: Undefined keys and nil

  /// Serves what it doesn't have.
  private final class Lenient: KeyValueObject {
    @Observed var number = 1
    @Observed var next: Lenient?
    var undefined: [String: Any] = [:]
    var read: String { "only" }

    override class var keyPaths: [String: AnyKeyPath] { ["read": \Lenient.read] }
    override func value(forUndefinedKey key: String) -> Any? { undefined[key] }
    override func setValue(_ value: Any?, forUndefinedKey key: String) { undefined[key] = value }
    override func setNilValueForKey(_ key: String) {
      if key == "number" { number = -1 } else { super.setNilValueForKey(key) }
    }
  }

  @Test func undefinedKeysGoToTheirMethods() {
    let lenient = Lenient()
    #expect(lenient.value(forKey: "color") == nil)
    lenient.setValue("red", forKey: "color")
    #expect(lenient.value(forKey: "color") as? String == "red")
    #expect(lenient.value(forKeyPath: "color") as? String == "red")
    lenient.next = Lenient()
    lenient.setValue("blue", forKeyPath: "next.color")
    #expect(lenient.value(forKeyPath: "next.color") as? String == "blue")
    #expect(lenient.next?.undefined.count == 1)
  }

  @Test func settingAReadOnlyKeyIsSettingAnUndefinedOne() {
    let lenient = Lenient()
    lenient.setValue("written", forKey: "read")
    #expect(lenient.undefined["read"] as? String == "written")
    #expect(lenient.value(forKey: "read") as? String == "only")
  }

  @Test func nilForWhatCannotBeNilGoesToItsMethod() {
    let lenient = Lenient()
    recorder.observe(lenient, "number")
    lenient.setValue(nil, forKey: "number")
    #expect(lenient.number == -1)
    #expect(recorder.take() == [.setting(new: -1, old: 1)])
    lenient.number = 2
    lenient.setValuesForKeys(["number": NSNull()])
    #expect(lenient.number == -1)
    lenient.setValue(nil as Int?, forKey: "number")
    #expect(lenient.number == -1)
  }

  // MARK: Paths

  @Test func nilInTheMiddleReadsNilAndSetsNothing() {
    let node = Node("a")
    #expect(node.value(forKeyPath: "child.name") == nil)
    #expect(node.value(forKeyPath: "child.child.name") == nil)
    node.setValue("b", forKeyPath: "child.name")
    node.setValue("b", forKeyPath: "child.child.name")
    node.setValue(nil, forKeyPath: "child.number")
    #expect(node.child == nil && node.name == "a")
  }

  @Test func pathsAreReadAndSetToTheirEnd() {
    let node = Node("a", child: Node("b", child: Node("c", number: 3)))
    #expect(node.value(forKeyPath: "child.child.number") as? Int == 3)
    node.setValue(4, forKeyPath: "child.child.number")
    #expect(node.child?.child?.number == 4)
    node.setValue(nil, forKeyPath: "child.child")
    #expect(node.child?.child == nil)
  }

  @Test func dictionariesAnswerToTheirKeys() {
    let info: [String: Any] = ["name": "Ada", "address": ["city": "London"] as [String: Any], "friend": Node("friend")]
    let box = Box(info)
    #expect(box.value(forKeyPath: "value.name") as? String == "Ada")
    #expect(box.value(forKeyPath: "value.address.city") as? String == "London")
    #expect(box.value(forKeyPath: "value.friend.name") as? String == "friend")
    #expect(box.value(forKeyPath: "value.missing") == nil)
    #expect(box.value(forKeyPath: "value.missing.name") == nil)
    box.setValue("other", forKeyPath: "value.friend.name")
    #expect(box.value(forKeyPath: "value.friend.name") as? String == "other")
  }

  @Test func typedAndFoundationDictionariesAnswerToTheirKeysToo() {
    #expect(Box(["a": 1]).value(forKeyPath: "value.a") as? Int == 1)
    #expect(Box(["a": Node("node")]).value(forKeyPath: "value.a.name") as? String == "node")
    let foundation = NSDictionary(dictionary: ["a": Node("node"), "b": NSDictionary(dictionary: ["c": "d"])])
    #expect(Box(foundation).value(forKeyPath: "value.a.name") as? String == "node")
    #expect(Box(foundation).value(forKeyPath: "value.b.c") as? String == "d")
    #expect(Box(foundation).value(forKeyPath: "value.z.c") == nil)
    #expect(Box<[String: Any]?>(nil).value(forKeyPath: "value.a") == nil)
  }

  // MARK: Several keys

  @Test func dictionaryWithValuesTurnsNilIntoNull() {
    let node = Node("a", number: 1)
    let values = node.dictionaryWithValues(forKeys: ["name", "number", "child"])
    #expect(Set(values.keys) == ["name", "number", "child"])
    #expect(values["name"] as? String == "a" && values["number"] as? Int == 1 && values["child"] is NSNull)
    #expect(node.dictionaryWithValues(forKeys: []).isEmpty)
  }

  @Test func setValuesForKeysTurnsNullIntoNil() {
    let node = Node("a", child: Node("b"))
    node.optional = 1
    node.setValuesForKeys(["name": "c", "number": 2, "child": NSNull(), "optional": NSNull()])
    #expect(node.name == "c" && node.number == 2 && node.child == nil && node.optional == nil)
  }
}
