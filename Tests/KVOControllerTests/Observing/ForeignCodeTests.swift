import KVOController
import Testing
import _KVOTestSupport

/// Code of users that the engine runs may do anything, and wait for another thread that does: no lock is held meanwhile.
@Suite(.watched) struct ForeignCodeTests {
  let log = Locked<[String]>([])
  let recorder = Recorder()
  let node = Node("a", child: Node("b"))

  /// Uses everything on another thread, and waits until that is done.
  private static func useElsewhere(_ node: Node) {
    onThreads(1) { _ in use(node) }
  }

  private static func use(_ node: Node) {
    let deaf = Deaf()
    deaf.observe(node, "number", [.initial, .new, .old, .prior])
    deaf.observe(node, "child.number", [.initial, .new, .old, .prior])
    node.name = "used"
    node.child?.name = "used"
    _ = node.value(forKeyPath: "child.number")
    _ = node.number
    node.willChangeValue(forKey: "optional")
    node.didChangeValue(forKey: "optional")
    let token = node.observe(\.child?.name, options: [.new]) { _, _ in }
    node.mutableArrayValue(forKey: "items").add(1)
    token.invalidate()
    deaf.unobserve(node, "number")
    deaf.unobserve(node, "child.number")
  }

  // MARK: Values

  /// A value that acts when it is hashed, compared, described or released.
  private final class Value: Hashable, CustomStringConvertible, CustomDebugStringConvertible, @unchecked Sendable {
    let number: Int
    var act: (String) -> Void

    init(_ number: Int, act: @escaping (String) -> Void = { _ in }) {
      self.number = number
      self.act = act
    }

    deinit { act("deinit") }

    static func == (left: Value, right: Value) -> Bool {
      left.act("==")
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      act("hash")
      hasher.combine(number)
    }

    var description: String {
      act("description")
      return "\(number)"
    }

    var debugDescription: String { description }
  }

  private final class Holder: KeyValueObject, @unchecked Sendable {
    @Observed var value: Value?
    @Observed var array: [Value] = []
    @Observed var set: Set<Value> = []
    @Observed var other = 0
  }

  @Test func theDeinitOfAReplacedValueMayUseItsOwner() {
    let holder = Holder()
    let deaf = Deaf()
    deaf.observe(holder, "value", [])
    let (node, log) = (node, log)
    holder.value = Value(1) { [unowned holder] event in
      Self.useElsewhere(node)
      onThreads(1) { [holder] _ in
        log.append("\(event) \(holder.value?.number ?? 0)")
        deaf.observe(holder, "other", [.initial, .new])
        holder.other += 1
        deaf.unobserve(holder, "other")
      }
    }
    holder.value = Value(2)
    #expect(log.take() == ["deinit 2"])
    holder.value = Value(3) { _ in log.append("\(holder.value?.number ?? 0)") }
    // The change retains the old value for its observers, and releases it after them.
    recorder.observe(holder, "value", .old)
    holder.value = nil
    _ = recorder.take()
    #expect(log.take() == ["0"])
  }

  @Test func comparingAndHashingElementsOfAProxyMayUseOtherObjects() {
    let holder = Holder()
    recorder.observe(holder, "array", [.new, .old, .prior])
    recorder.observe(holder, "set", [.new, .old, .prior])
    let (node, log) = (node, log)
    var values: [Value] = []
    for number in 0..<4 {
      let busy = Locked(false)
      values.append(
        Value(number) { event in
          guard
            busy.withLock({ isBusy in
              defer { isBusy = true }
              return !isBusy
            })
          else { return }
          Self.useElsewhere(node)
          // Also of the property that is being edited, on the same thread.
          _ = holder.value(forKeyPath: "set.@count")
          _ = holder.array.count
          log.append(event)
          busy.withLock { $0 = false }
        })
    }
    let array = holder.mutableArrayValue(forKey: "array")
    array.addObjects(from: values)
    array.remove(Value(1))
    #expect(array.index(of: Value(2)) == 1)
    let set = holder.mutableSetValue(forKey: "set")
    set.addObjects(from: values)
    set.remove(Value(3))
    set.minus([Value(0)])
    #expect(holder.array.map(\.number) == [0, 2, 3])
    #expect(Set(holder.set.map(\.number)) == [1, 2])
    let events = Set(log.take())
    #expect(events.isSuperset(of: ["==", "hash"]))
    _ = recorder.take()
    // The closures reference none of these objects.
    for value in values { value.act = { _ in } }
  }

  @Test func noLibraryCodeDescribesOrComparesAValueThatIsSet() {
    let holder = Holder()
    recorder.observe(holder, "value", [.new, .old, .prior, .initial])
    let calls = Locked<[String]>([])
    for number in 0..<3 { holder.value = Value(number) { event in calls.append(event) } }
    holder.setValue(nil, forKey: "value")
    #expect(calls.withLock { $0 } == [])
    _ = recorder.take()
    holder.value = nil
    #expect(calls.withLock { $0 } == ["deinit", "deinit", "deinit"])
  }

  // MARK: Observers and objects

  @Test func engineNeverCallsHashOrEqualityOfObserversAndObjects() {
    final class Equal: Recorder, @unchecked Sendable {
      nonisolated(unsafe) static var questions = 0
      @Observed var number = 0
      @Observed var next: Equal?

      override var hash: Int {
        Self.questions += 1
        return 1
      }

      override func isEqual(_ object: Any?) -> Bool {
        Self.questions += 1
        return true
      }

      override var description: String {
        Self.questions += 1
        return ""
      }

      override var debugDescription: String { description }
    }
    let (one, two, three) = (Equal(), Equal(), Equal())
    two.next = one
    for observer in [one, two, three] {
      observer.observe(one, "number", [.new, .old, .prior, .initial])
      observer.observe(two, "next.number", [.new, .old, .prior, .initial])
    }
    one.number = 1
    two.next = three
    three.number = 2
    for observer in [three, one] {
      observer.unobserve(one, "number")
      observer.unobserve(anyContextOf: two, "next.number")
    }
    #expect(Equal.questions == 0)
    // Only the observer in the middle is left, and receives only its own changes.
    #expect(two.calls.count == 10)
    one.number = 3
    three.number = 3
    #expect(two.calls.count == 14)
    #expect(one.calls.count == 10 && three.calls.count == 10)
    two.unobserve(two, "next.number")
    two.unobserve(one, "number")
    #expect([one, two, three].allSatisfy { $0.registrationCount == 0 })
  }

  @Test func theDeinitOfAnObserverMayWaitForAnotherThread() {
    final class Last: Recorder, @unchecked Sendable {
      var act: () -> Void = {}
      deinit { act() }
    }
    let (node, log) = (node, log)
    var last: Last? = Last()
    last?.observe(node, "number")
    last?.observe(node, "child.number")
    last?.act = {
      Self.useElsewhere(node)
      log.append("used")
    }
    recorder.observe(node, "number", [])
    recorder.whenCalled = { _, _ in last = nil }
    node.number = 1
    #expect(log.take() == ["used"])
    recorder.whenCalled = nil
    #expect(recorder.take() == [.setting])
  }

  @Test func theDeinitOfAnObservedObjectMayWaitForAnotherThread() {
    final class Last: Node, @unchecked Sendable {
      var act: () -> Void = {}
      deinit { act() }
    }
    let (node, log) = (node, log)
    var last: Last? = Last("last", child: node)
    for keyPath in ["number", "child.number", "child.child.number"] {
      last.map { recorder.observe($0, keyPath, [.old, .new, .prior]) }
    }
    last?.act = {
      Self.useElsewhere(node)
      log.append("used")
    }
    last = nil
    #expect(log.take() == ["used"])
    #expect(recorder.take() == [])
    #expect(node.child?.registrationCount ?? 0 == 0)
  }

  // MARK: Methods of models

  /// A model whose methods act when the engine asks them.
  private class Asked: Node, @unchecked Sendable {
    nonisolated(unsafe) static var act: (String) -> Void = { _ in }

    var sum: Int {
      Self.act("getter")
      return number + items.count
    }

    override class var keyPaths: [String: AnyKeyPath] {
      act("keyPaths")
      return ["sum": \Asked.sum]
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      act("dependencies")
      return key == "sum" ? ["number", "items"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
      act("automatic")
      return true
    }

    override func value(forKey key: String) -> Any? {
      Self.act("value")
      return super.value(forKey: key)
    }

    override func value(forUndefinedKey key: String) -> Any? {
      Self.act("undefined")
      return 0
    }
  }

  @Test func modelCustomizationCanObserveItsClassOnAnotherThreadAndWait() {
    // Asked inside of what it is asked, it doesn't act again: else it would never end.
    let isBusy = Locked(false)
    let events = Locked<Set<String>>([])
    let node = node
    Asked.act = { event in
      let begins = isBusy.withLock { isBusy in
        defer { isBusy = true }
        return !isBusy
      }
      guard begins else { return }
      events.withLock { _ = $0.insert(event) }
      onThreads(1) { _ in
        let asked = Asked()
        let deaf = Deaf()
        for key in ["sum", "number", "child.sum", "unknown"] { deaf.observe(asked, key, [.initial, .new, .old]) }
        asked.number += 1
        asked.child = Asked()
        Self.use(node)
      }
      isBusy.withLock { $0 = false }
    }
    defer { Asked.act = { _ in } }
    let asked = Asked()
    for key in ["sum", "name", "child.sum", "unknown"] { recorder.observe(asked, key, [.new, .initial]) }
    _ = recorder.take()
    asked.number = 2
    #expect(recorder.take() == [.setting(new: 2)])
    let child = Asked()
    asked.child = child
    child.number = 3
    #expect(recorder.take() == [.setting(new: 0), .setting(new: 3)])
    #expect(events.withLock { $0 }.isSuperset(of: ["getter", "keyPaths", "dependencies", "automatic", "undefined"]))
  }
}
