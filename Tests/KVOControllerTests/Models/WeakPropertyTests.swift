import KVOController
import Testing
import _KVOTestSupport

@Suite(.watched) struct WeakPropertyTests {
  let recorder = Recorder()

  // MARK: As a property

  @Test func itIsAWeakReference() {
    let kin = Kin("kin")
    draining {
      let parent = Kin("parent")
      kin.parent = parent
      #expect(kin.parent === parent)
      #expect(kin.value(forKey: "parent") as? Kin === parent)
    }
    #expect(kin.parent == nil)
    #expect(kin.value(forKey: "parent") == nil)
  }

  @Test func itHasAnInitialObject() {
    final class Child: KeyValueObject {
      @ObservedWeak var parent: Kin?
      init(_ parent: Kin?) { _parent = ObservedWeak(wrappedValue: parent) }
    }
    let parent = Kin("parent")
    #expect(Child(parent).parent === parent)
    #expect(Child(nil).parent == nil)
    #expect(Child(Kin("released")).parent == nil)
  }

  @Test func itTakesNoMoreMemoryThanAWeakReference() {
    struct Plain { weak var object: Kin? }
    #expect(MemoryLayout<ObservedWeak<Kin>>.size == MemoryLayout<Plain>.size)
    #expect(MemoryLayout<ObservedWeak<Kin>>.stride == MemoryLayout<Plain>.stride)
  }

  @Test func eachAssignmentNotifiesWithTheObjects() {
    let (kin, first, second) = (Kin("kin"), Kin("first"), Kin("second"))
    recorder.observe(kin, "parent")
    kin.parent = first
    kin.parent = second
    kin.parent = second
    kin.parent = nil
    #expect(
      recorder.take() == [
        .setting(new: first, old: null), .setting(new: second, old: first), .setting(new: second, old: second),
        .setting(new: null, old: second),
      ])
  }

  @Test func optionsAreThoseOfAnyProperty() {
    let (kin, parent) = (Kin("kin"), Kin("parent"))
    recorder.observe(kin, "parent", [.initial, .new, .old, .prior])
    kin.parent = parent
    recorder.unobserve(kin, "parent")
    recorder.observe(kin, "parent", [])
    kin.parent = nil
    #expect(
      recorder.take() == [.setting(new: null), .prior(old: null), .setting(new: parent, old: null), .setting])
  }

  @Test func typedObserversReceiveTheObject() {
    let (kin, parent) = (Kin("kin"), Kin("parent"))
    // The handler runs on this thread.
    nonisolated(unsafe) var values: [String] = []
    let token = kin.observe(\.parent, options: [.initial, .new, .old]) { kin, change in
      values.append("\(change.oldValue??.name ?? "nil") \(change.newValue??.name ?? "nil")")
    }
    kin.parent = parent
    kin.parent = nil
    #expect(values == ["nil nil", "nil parent", "parent nil"])
    token.invalidate()
  }

  @Test func codingSetsIt() {
    let (kin, parent) = (Kin("kin"), Kin("parent"))
    kin.setValue(parent, forKey: "parent")
    #expect(kin.parent === parent)
    recorder.observe(kin, "parent")
    kin.setValue(nil, forKey: "parent")
    kin.setValuesForKeys(["parent": parent])
    #expect(recorder.take() == [.setting(new: null, old: parent), .setting(new: parent, old: null)])
    kin.setValue("changed", forKeyPath: "parent.name")
    #expect(parent.name == "changed")
    #expect(kin.value(forKeyPath: "parent.name") as? String == "changed")
  }

  @Test func anObjectOfTheWrongClassIsRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Kin("kin").setValue("text", forKey: "parent")
    }
    #expect(said(#"Cannot set the value for the key "parent" of <Kin 0x[0-9a-f]+>"#, result))
  }

  @Test func anInOutMutationIsOneChange() {
    let (kin, first, second) = (Kin("kin"), Kin("first"), Kin("second"))
    kin.parent = first
    func replace(_ kin: inout Kin?, by other: Kin) { kin = other }
    recorder.observe(kin, "parent", [.new, .old, .prior])
    replace(&kin.parent, by: second)
    #expect(recorder.take() == [.prior(old: first), .setting(new: second, old: first)])
    #expect(kin.parent === second)
    recorder.unobserve(kin, "parent")
    replace(&kin.parent, by: first)
    #expect(kin.parent === first)
  }

  @Test func changingTheObjectIsNoChangeOfTheReference() {
    let (kin, parent) = (Kin("kin"), Kin("parent"))
    kin.parent = parent
    recorder.observe(kin, "parent")
    kin.parent?.name = "changed"
    kin.parent!.number = 1
    kin.parent?.items.append(1)
    #expect(recorder.take() == [])
    #expect(parent.items == [1])
  }

  @Test func overlappingAccessesTrap() async {
    let message = "Simultaneous accesses to 0x[0-9a-f]+, but modification requires exclusive access"
    let observed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (kin, recorder) = (Kin("kin"), Recorder())
      recorder.observe(kin, "parent", [])
      func replace(_ other: inout Kin?) { kin.parent = nil }
      replace(&kin.parent)
    }
    #expect(said(message, observed))
    let unobserved = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kin = Kin("kin")
      func replace(_ other: inout Kin?) { kin.parent = nil }
      replace(&kin.parent)
    }
    #expect(said(message, unobserved))
  }

  @Test func itsOwnObserversRun() {
    let (watched, first, second) = (Watched(), Kin("first"), Kin("second"))
    recorder.observe(watched, "kin")
    watched.kin = first
    watched.kin = second
    #expect(watched.seen == ["nil to first", "first to second"])
    #expect(recorder.take() == [.setting(new: first, old: null), .setting(new: second, old: first)])
  }

  @Test func anObjectInItsDeinitIsNotStored() {
    // On Apple platforms Objective-C's runtime aborts, as for a plain weak property.
    #if !canImport(ObjectiveC)
    let keeper = Kin("keeper")
    recorder.observe(keeper, "parent")
    do {
      let kin = Kin("kin")
      kin.whenReleased = { [unowned(unsafe) kin] in keeper.parent = kin }
    }
    #expect(keeper.parent == nil)
    #expect(recorder.take() == [.setting(new: null, old: null)])
    #endif
  }

  @Test func aHandlerMaySetItAgain() {
    let (kin, first, second) = (Kin("kin"), Kin("first"), Kin("second"))
    let later = Recorder()
    later.observe(kin, "parent")
    recorder.observe(kin, "parent")
    recorder.whenCalled = { [unowned kin] _, _ in if kin.parent === first { kin.parent = second } }
    kin.parent = first
    #expect(recorder.take() == [.setting(new: first, old: null), .setting(new: second, old: first)])
    #expect(later.take() == [.setting(new: second, old: first), .setting(new: second, old: null)])
    recorder.whenCalled = nil
  }

  @Test func oneThatIsAloneInItsClassIsFound() {
    let (lone, other) = (Lone(), Lone())
    recorder.observe(lone, "other")
    lone.other = other
    #expect(recorder.take() == [.setting(new: other, old: null)])
    #expect(Lone.observedKeys == ["other"])
  }

  // MARK: On paths

  @Test func aPathLeadsThroughIt() {
    let (kin, first, second) = (Kin("kin"), Kin("first"), Kin("second"))
    recorder.observe(kin, "parent.name", [.new, .old, .prior])
    kin.parent = first
    first.name = "changed"
    kin.parent = second
    first.name = "unheard"
    second.name = "heard"
    kin.parent = nil
    second.name = "unheard"
    #expect(
      recorder.take() == [
        .prior(old: null), .setting(new: "first", old: null), .prior(old: "first"),
        .setting(new: "changed", old: "first"), .prior(old: "changed"), .setting(new: "second", old: "changed"),
        .prior(old: "second"), .setting(new: "heard", old: "second"), .prior(old: "heard"),
        .setting(new: null, old: "heard"),
      ])
  }

  @Test func typedPathsLeadThroughItByTheirNames() {
    let (kin, parent) = (Kin("kin"), Kin("parent"))
    // The handler runs on this thread.
    nonisolated(unsafe) var values: [String?] = []
    let token = kin.observe(\.parent?.name, options: [.new]) { _, change in
      values.append(change.newValue ?? "none")
    }
    kin.parent = parent
    parent.name = "changed"
    kin.parent = nil
    #expect(values == ["parent", "changed", nil])
    token.invalidate()
  }

  @Test func proxiesOfPathsLeadThroughIt() {
    let (kin, parent) = (Kin("kin"), Kin("parent"))
    kin.parent = parent
    recorder.observe(kin, "parent.items", [])
    kin.mutableArrayValue(forKeyPath: "parent.items").add(7)
    #expect(recorder.take() == [Change(.insertion, indexes: [0])])
    #expect(parent.items == [7])
  }

  @Test func keysDependOnIt() {
    let (kin, parent) = (Kin("kin"), Kin("parent"))
    recorder.observe(kin, "title")
    kin.parent = parent
    parent.name = "changed"
    kin.parent = nil
    #expect(
      recorder.take() == [
        .setting(new: "parent/kin", old: "kin"), .setting(new: "changed/kin", old: "parent/kin"),
        .setting(new: "kin", old: "changed/kin"),
      ])
  }

  @Test func readingFollowsIt() {
    final class Reader: KeyValueObject {
      @ObservedWeak var kin: Kin?
      var text: String { kin?.parent?.name ?? "none" }
    }
    let (reader, kin, parent) = (Reader(), Kin("kin"), Kin("parent"))
    (reader.kin, kin.parent) = (kin, parent)
    // The handler runs on this thread.
    nonisolated(unsafe) var values: [String?] = []
    let token = reader.observe(\.text, options: [.new]) { _, change in
      values.append(change.newValue)
    }
    parent.name = "changed"
    kin.parent = nil
    parent.name = "unheard"
    reader.kin = parent
    #expect(values == ["changed", "none", "none"])
    token.invalidate()
  }

  @Test func objectsThatTheEngineDoesNotKnowAreValues() {
    let (kin, object) = (Kin("kin"), NSObject())
    recorder.observe(kin, "anything")
    kin.anything = object
    #expect(recorder.take() == [.setting(new: object, old: null)])
  }
}
