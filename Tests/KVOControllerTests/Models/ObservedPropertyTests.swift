import KVOController
import Testing
import _KVOTestSupport

@Suite struct ObservedPropertyTests {
  let recorder = Recorder()

  // MARK: Classes

  private class Base: KeyValueObject {
    @Observed var one = 1
    var sum: Int { one }
    override class var keyPaths: [String: AnyKeyPath] { ["sum": \Base.sum] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "sum" ? ["one"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  private class Derived: Base {
    @Observed var two = 2
    override var sum: Int { super.sum + two }
    var product: Int { one * two }
    override class var keyPaths: [String: AnyKeyPath] { ["product": \Derived.product] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "sum": super.keyPathsForValuesAffectingValue(forKey: key).union(["two"])
      case "product": ["one", "two"]
      default: super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
  }

  private final class Last: Derived {
    let plain = "between"
    @Observed var three = 3
  }

  @Test func propertiesOfEveryClassOfTheChainNotify() {
    let last = Last()
    for key in ["one", "two", "three", "sum", "product"] { recorder.observe(last, key) }
    last.three = 30
    #expect(recorder.take() == [.setting(new: 30, old: 3)])
    last.two = 20
    let changes = Dictionary(uniqueKeysWithValues: recorder.calls.map { ($0.keyPath ?? "", $0.change) })
    #expect(
      changes == [
        "two": .setting(new: 20, old: 2), "sum": .setting(new: 21, old: 3), "product": .setting(new: 20, old: 2),
      ])
    _ = recorder.take()
    last.one = 10
    #expect(Set(recorder.calls.map(\.keyPath)) == ["one", "sum", "product"])
    #expect(recorder.calls.count == 3)
  }

  @Test func keysOfEveryClassOfTheChainAreReadAndSet() {
    let last = Last()
    for (key, value) in ["one": 10, "two": 20, "three": 30] { last.setValue(value, forKey: key) }
    #expect(last.value(forKey: "one") as? Int == 10)
    #expect(last.value(forKey: "three") as? Int == 30)
    #expect(last.value(forKey: "sum") as? Int == 30)
    #expect(last.value(forKey: "product") as? Int == 200)
    #expect(Base().value(forKey: "sum") as? Int == 1)
  }

  @Test func aSubclassMayOverrideAnObservedProperty() {
    final class Shouting: Node, @unchecked Sendable {
      override var name: String {
        get { super.name }
        set { super.name = newValue.uppercased() }
      }
    }
    let node = Shouting("a")
    recorder.observe(node, "name", .new)
    node.name = "b"
    #expect(recorder.take() == [.setting(new: "B")])
  }

  @Test func propertyObserversRunAsBefore() {
    final class Clamped: KeyValueObject {
      @Observed var value = 0 { didSet { if value > 10 { value = 10 } } }
    }
    let model = Clamped()
    recorder.observe(model, "value")
    model.value = 5
    #expect(recorder.take() == [.setting(new: 5, old: 0)])
    model.value = 50
    #expect(model.value == 10)
    #expect(recorder.take().last == .setting(new: 10, old: 50))
  }

  // MARK: Generic classes

  private final class Pair<Second>: Box<Int> {
    @Observed var second: Second
    init(_ first: Int, _ second: Second) {
      self.second = second
      super.init(first)
    }
  }

  private final class IntBox: Box<Int> {
    @Observed var own = 0
  }

  @Test func propertiesOfGenericClassesNotify() {
    let text = Box("a")
    recorder.observe(text, "value")
    recorder.observe(text, "count")
    text.value = "b"
    text.count = 1
    #expect(recorder.take() == [.setting(new: "b", old: "a"), .setting(new: 1, old: 0)])
    let byte = Box<UInt8>(1)
    recorder.observe(byte, "count")
    recorder.observe(byte, "value")
    byte.count = 2
    byte.value = 3
    #expect(recorder.take() == [.setting(new: 2, old: 0), .setting(new: 3 as UInt8, old: 1 as UInt8)])
  }

  @Test func propertiesOfSubclassesOfGenericClassesNotify() {
    let pair = Pair(1, "second")
    let box = IntBox(1)
    for key in ["value", "count", "second"] { recorder.observe(pair, key, .new) }
    for key in ["value", "count", "own"] { recorder.observe(box, key, .new) }
    pair.second = "other"
    pair.value = 2
    pair.count = 3
    box.own = 4
    box.count = 5
    box.value = 6
    #expect(recorder.calls.map(\.keyPath) == ["second", "value", "count", "own", "count", "value"])
    #expect(
      recorder.take() == [
        .setting(new: "other"), .setting(new: 2), .setting(new: 3), .setting(new: 4), .setting(new: 5),
        .setting(new: 6),
      ])
  }

  // MARK: Layouts

  private struct Nothing: Hashable {}
  private struct Naught: Hashable {}

  private final class Flags: KeyValueObject {
    @Observed var a = false
    @Observed var b = false
    @Observed var c = false
    @Observed var d: UInt8 = 0
    @Observed var e: Int16 = 0
    @Observed var f = false
    @Observed var g: Bool?
    @Observed var h = 0
    @Observed var i = false
  }

  @Test func adjacentSmallFieldsAreDistinguished() {
    let flags = Flags()
    let keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    for key in keys { recorder.observe(flags, key, []) }
    flags.a = true
    flags.b.toggle()
    flags.c = true
    flags.d += 1
    flags.e = 1
    flags.f = true
    flags.g = true
    flags.h = 1
    flags.i = true
    #expect(recorder.calls.map(\.keyPath) == keys)
    _ = recorder.take()
    for key in keys { flags.setValue(0, forKey: key) }
    #expect(recorder.calls.map(\.keyPath) == keys)
  }

  private final class Empties: KeyValueObject {
    @Observed var nothing = Nothing()
    @Observed var number = 1
    @Observed var naught = Naught()
    @Observed var other = 2
    @Observed var void: Void = ()
  }

  @Test func propertiesWithoutSizeNotifyNobodyAndAreDistinguishedFromAdjacentOnes() {
    let empties = Empties()
    let keys = ["nothing", "number", "naught", "other", "void"]
    for key in keys { recorder.observe(empties, key, []) }
    empties.nothing = Nothing()
    empties.number = 2
    empties.naught = Naught()
    empties.other = 3
    empties.void = ()
    #expect(recorder.calls.map(\.keyPath) == ["number", "other"])
    _ = recorder.take()
    for key in keys { empties.setValue(empties.value(forKey: key), forKey: key) }
    #expect(recorder.calls.map(\.keyPath) == ["number", "other"])
  }

  #if DEBUG
  @Test func observingAPropertyWithoutSizeSaysSoOnce() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (empties, recorder) = (Empties(), Recorder())
      for _ in 0..<2 {
        recorder.observe(empties, "void", [])
        recorder.unobserve(empties, "void")
        for _ in 0..<2 { recorder.kvoController.observe(empties, \.naught) { (_: Recorder, _, _) in } }
      }
    }
    let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("can't change") }
    #expect(lines.count == 2 && lines.first?.contains("void of Empties") == true, "\(lines)")
  }
  #endif

  // MARK: Room and copies

  @Test func anObservedPropertyTakesTheRoomOfItsValue() {
    #expect(MemoryLayout<Observed<Int>>.size == MemoryLayout<Int>.size)
    #expect(MemoryLayout<Observed<Int>>.stride == MemoryLayout<Int>.stride)
    #expect(MemoryLayout<Observed<Bool>>.size == 1)
    #expect(MemoryLayout<Observed<String?>>.size == MemoryLayout<String?>.size)
    #expect(MemoryLayout<Observed<Node?>>.size == MemoryLayout<Node?>.size)
  }

  private func buffer(_ node: Node) -> UnsafeRawPointer? {
    node.items.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
  }

  @Test func mutationInPlaceCopiesNothingWhileUnobserved() {
    let node = Node()
    node.items = Array(0..<100)
    node.items.reserveCapacity(1000)
    let before = buffer(node)
    for number in 0..<500 { node.items.append(number) }
    node.items[3] = 7
    #expect(buffer(node) == before)
    recorder.observe(node, "items", [])
    recorder.unobserve(node, "items")
    for number in 0..<300 { node.items.append(number) }
    #expect(buffer(node) == before)
  }

  @Test(arguments: [NSKeyValueObservingOptions(), .new, .prior, [.new, .prior]])
  func mutationInPlaceCopiesNothingUnlessTheOldValueIsRequested(options: NSKeyValueObservingOptions) {
    let node = Node()
    let deaf = Deaf()
    node.items = Array(0..<100)
    node.items.reserveCapacity(1000)
    deaf.observe(node, "items", options)
    deaf.observe(node, "number", [.new, .old])
    let before = buffer(node)
    for number in 0..<500 { node.items.append(number) }
    #expect(buffer(node) == before)
    #expect(node.items.count == 600)
    withExtendedLifetime(deaf) {}
  }

  @Test func requestedOldValueIsACopy() {
    let node = Node()
    recorder.observe(node, "items", .old)
    for number in 0..<50 { node.items.append(number) }
    #expect(recorder.take() == (0..<50).map { .setting(old: Array(0..<$0)) })
  }

  // MARK: Names

  private final class Quoted: KeyValueObject {
    @Observed var `my key` = 1
    @Observed var `class` = 2
    @Observed var `2nd` = 3
    @Observed var _hidden = 4
    @Observed var größe = 5
  }

  @Test func aPropertyHasItsOwnNameAsKey() {
    let quoted = Quoted()
    let paths: [(String, ReferenceWritableKeyPath<Quoted, Int>)] = [
      ("my key", \.`my key`), ("class", \.class), ("2nd", \.`2nd`), ("_hidden", \._hidden), ("größe", \.größe),
    ]
    for (name, path) in paths {
      recorder.observe(quoted, name)
      let names = Locked<[Int?]>([])
      let token = quoted.observe(path, options: .new) { _, change in
        names.append(change.newValue)
      }
      quoted[keyPath: path] += 10
      #expect(recorder.calls.last?.keyPath == name)
      #expect(names.current == [quoted[keyPath: path]])
      #expect(quoted.value(forKey: name) as? Int == quoted[keyPath: path])
      recorder.unobserve(quoted, name)
      token.invalidate()
    }
    #expect(recorder.calls.count == paths.count)
  }
}
