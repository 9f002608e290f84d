import KVOController
import Testing
import _KVOTestSupport

/// Two threads in the order that could do the greatest harm: one waits inside of foreign code until the other is done.
@Suite struct ForcedInterleavingTests {
  private let node = Node("root", number: 0)

  /// Runs on another thread, and waits for it.
  private func elsewhere(_ body: @escaping @Sendable () -> Void) {
    onThreads(1) { _ in body() }
  }

  /// The changes that an observation received that was registered on another thread.
  private final class LateObservation: @unchecked Sendable {
    private let state = Locked<(values: [Int?], token: NSKeyValueObservation?)>(([], nil))

    func observe(_ node: Node, _ options: NSKeyValueObservingOptions = [.initial, .new]) {
      let token = node.observe(\.number, options: options) { [state] _, change in
        state.withLock { $0.values.append(change.newValue) }
      }
      state.withLock { $0.token = token }
    }

    var values: [Int?] { state.current.values }

    func end() { state.withLock { state in state.token.take() }?.invalidate() }
  }

  // MARK: Registration on another thread while a value changes

  @Test func registrationOnAnotherThreadDuringAPriorCallIsNotified() {
    let (recorder, received) = (Recorder(), LateObservation())
    recorder.whenCalled = { [node] recorder, call in
      if call.isPrior { self.elsewhere { received.observe(node) } }
    }
    recorder.observe(node, "number", [.prior])
    node.number = 1
    #expect(received.values == [0, 1])
    recorder.unobserve(node, "number")
    received.end()
  }

  @Test func registrationOnAnotherThreadWhileOldValuesAreReadIsNotified() {
    final class Gated: Node, @unchecked Sendable {
      var whenRead: (() -> Void)?
      var computed: Int {
        whenRead?()
        return number
      }
      override class var keyPaths: [String: AnyKeyPath] { ["computed": \Gated.computed] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "computed" ? ["number"] : super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
    let (gated, recorder, received) = (Gated(), Recorder(), LateObservation())
    recorder.observe(gated, "computed", [.new, .old])
    gated.whenRead = { [unowned gated] in
      gated.whenRead = nil
      self.elsewhere { received.observe(gated) }
    }
    gated.number = 1
    #expect(received.values == [0, 1])
    #expect(recorder.changes == [.setting(new: 1, old: 0)])
    recorder.unobserve(gated, "computed")
    received.end()
  }

  @Test func registrationOnAnotherThreadDuringAPairIsNotified() {
    let (recorder, received) = (Recorder(), LateObservation())
    recorder.observe(node, "number", [])
    node.willChangeValue(forKey: "number")
    elsewhere { [node] in received.observe(node) }
    node.didChangeValue(forKey: "number")
    #expect(received.values == [0, 0])
    recorder.unobserve(node, "number")
    received.end()
  }

  @Test(arguments: [true, false])
  func registrationOnAnotherThreadDuringAMutationInPlaceIsNotified(isObservedBefore: Bool) {
    let (recorder, received) = (Recorder(), LateObservation())
    if isObservedBefore { recorder.observe(node, "number", []) }
    func mutate(_ number: inout Int) {
      // Without a value, for which it would need the owner's synchronization.
      elsewhere { [node] in received.observe(node, [.new]) }
      number = 5
    }
    mutate(&node.number)
    #expect(received.values == [5])
    if isObservedBefore { recorder.unobserve(node, "number") }
    received.end()
    #expect(node.registrationCount == 0)
  }

  @Test(arguments: [true, false])
  func registrationDuringAMutationInPlaceGetsThePriorCallThen(isObservedBefore: Bool) {
    let (recorder, late) = (Recorder(), Recorder())
    if isObservedBefore { recorder.observe(node, "number", []) }
    func mutate(_ number: inout Int) {
      elsewhere { [node] in late.observe(node, "number", [.prior, .old, .new]) }
      #expect(late.changes == [])
      number = 5
    }
    mutate(&node.number)
    #expect(late.changes == [.prior, .setting(new: 5)])
    if isObservedBefore { recorder.unobserve(node, "number") }
    late.unobserve(node, "number")
    #expect(node.registrationCount == 0)
  }

  // MARK: End on another thread

  @Test func registrationEndedOnAnotherThreadDuringAPriorCallIsNotNotified() {
    let (recorder, late) = (Recorder(), Recorder())
    recorder.whenCalled = { [node] recorder, call in
      if call.isPrior { self.elsewhere { late.unobserve(node, "number") } }
    }
    recorder.observe(node, "number", [.prior])
    late.observe(node, "number", [.prior, .new])
    node.number = 1
    #expect(late.changes == [])
    recorder.unobserve(node, "number")
  }

  @Test func objectsOfAnEndedRegistrationAreReleasedOutsideOfLocks() {
    // Released once.
    final class Held: @unchecked Sendable {
      let onDeinit: () -> Void
      init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
      deinit { onDeinit() }
    }
    let (recorder, other) = (Recorder(), Node())
    recorder.observe(node, "number")
    var held: Held? = Held { [node] in
      // On another thread, so that a lock that is held would stop both.
      self.elsewhere {
        node.number += 1
        other.child = node
        recorder.observe(node, "name")
        recorder.unobserve(node, "name")
      }
    }
    let lent = Lent(node.observe(\.number, options: .new) { [held] _, _ in withExtendedLifetime(held) {} })
    held = nil  // Only the handler retains it now.
    let hasEnded = finishes { lent.take()?.invalidate() }
    #expect(hasEnded)
    #expect(node.number == 1)
    #expect(recorder.changes == [.setting(new: 1, old: 0)])
    recorder.unobserve(node, "number")
  }

  /// A value that is handed to another thread.
  private final class Lent<Value>: @unchecked Sendable {
    private var value: Value?
    init(_ value: Value) { self.value = value }
    func take() -> Value? {
      defer { value = nil }
      return value
    }
  }

  // MARK: Paths

  @Test func pathReplacedOnAnotherThreadDuringItsTraversalFollowsTheLastObject() {
    final class Gated: KeyValueObject, @unchecked Sendable {
      @Observed var child: Node?
      var whenRead: (() -> Void)?
      var current: Node? {
        let child = child
        whenRead?()
        return child
      }
      override class var keyPaths: [String: AnyKeyPath] { ["current": \Gated.current] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "current" ? ["child"] : super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
    let (gated, recorder) = (Gated(), Recorder())
    let (first, second, last) = (Node("1"), Node("2"), Node("3"))
    gated.child = first
    recorder.observe(gated, "current.name", [.new])
    gated.whenRead = { [unowned gated] in
      guard gated.child === second else { return }
      gated.whenRead = nil
      self.elsewhere { gated.child = last }
    }
    gated.child = second
    #expect(recorder.changes.last == .setting(new: "3"))
    _ = recorder.take()
    // Its setter has returned on the other thread, so its changes notify, and those of the others don't.
    first.name = "1 again"
    second.name = "2 again"
    #expect(recorder.take() == [])
    last.name = "3 again"
    #expect(recorder.take() == [.setting(new: "3 again")])
    recorder.unobserve(gated, "current.name")
    #expect([first, second, last].allSatisfy { $0.registrationCount == 0 })
  }

  @Test func changeOfAChildReplacedOnAnotherThreadIsNotDeliveredAfterwards() {
    let (old, new) = (Node("old"), Node("new", number: 9))
    node.child = old
    nonisolated(unsafe) var received: [Int?] = []
    let observer = Node()
    observer.observe(node, \.child?.number, options: .new, isolation: nil) { _, _, change in
      received.append(change.newValue.flatMap { $0 })
    }
    // Registered later, so called earlier.
    let recorder = Recorder()
    recorder.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      self.elsewhere { node.child = new }
    }
    recorder.observe(old, "number", [])
    old.number = 5
    #expect(received == [9])
    recorder.unobserve(old, "number")
    observer.unobserve(node)
  }

  // MARK: Following by reading

  @Test func aGetterMayReplaceAChildWhoseDeinitReads() {
    final class Child: KeyValueObject, @unchecked Sendable {
      @Observed var number = 1
      var total = 0
      deinit { total += number }
    }
    final class Parent: KeyValueObject, @unchecked Sendable {
      @Observed var factor = 1
      private var cache: Child?
      var product: Int {
        cache = Child()
        return factor * (cache?.number ?? 0)
      }
    }
    let parent = Parent()
    nonisolated(unsafe) var received: [Int?] = []
    let token = parent.observe(\.product, options: .new) { _, change in received.append(change.newValue) }
    parent.factor = 2
    parent.factor = 3
    #expect(received == [2, 3])
    token.invalidate()
  }
}
