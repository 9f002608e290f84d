import KVOController
import Testing
import _KVOTestSupport

/// What controllers register is in the controllers' tests.
@Suite(.watched) struct ModelObserversDescriptionTests {
  let recorder = Recorder()

  private func lines(_ object: KeyValueObject) -> [String] {
    object.observersDescription.split(separator: "\n").map(String.init)
  }

  private func name(_ object: AnyObject) -> String {
    "<\(type(of: object)) 0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16) + ">"
  }

  @Test func itIsEmptyWithoutObservers() {
    let kin = Kin("kin")
    #expect(kin.observersDescription == "")
    let token = kin.observe(\.name) { _, _ in }
    #expect(lines(kin).count == 1)
    token.invalidate()
    #expect(kin.observersDescription == "")
  }

  @Test func eachRegistrationHasALineInOrder() {
    let kin = Kin("kin")
    let tokens = [
      kin.observe(\.number, options: [.new, .old]) { _, _ in }, kin.observe(\.name) { _, _ in },
      kin.observe(\.name, options: [.initial, .new, .old, .prior]) { _, _ in },
      kin.observe(\.title, options: .new) { _, _ in }, kin.observe(\.parent?.name, options: .new) { _, _ in },
    ]
    #expect(
      lines(kin).map { $0.components(separatedBy: " -> ").last } == [
        "number (new, old), with a closure", "name (no options), with a closure",
        "name (new, old, initial, prior), with a closure", "title (new), with a closure",
        "parent.name (new), with a closure",
      ])
    for token in tokens { token.invalidate() }
    #expect(lines(kin) == [])
  }

  @Test func pathsThatLeadThroughTheObjectAreShownWithTheirRoots() {
    let (kin, child, leaf) = (Kin("kin"), Kin("child"), Kin("leaf"))
    (kin.child, child.child) = (child, leaf)
    let token = kin.observe(\.child?.child?.name, options: .new) { _, _ in }
    let line = "a closure observes \(name(kin)) -> child.child.name (new), with a closure"
    for object in [kin, child, leaf] { #expect(lines(object) == [line]) }
    kin.child = nil
    for object in [child, leaf] { #expect(lines(object) == []) }
    token.invalidate()
    #expect(lines(kin) == [])
  }

  @Test func aPathThatLeadsThroughTheObjectTwiceIsShownOnce() {
    let kin = Kin("kin")
    kin.child = kin
    let token = kin.observe(\.child?.child?.name) { _, _ in }
    #expect(lines(kin).count == 1)
    token.invalidate()
    kin.child = nil
  }

  @Test func whatLayBehindADeallocatedObjectIsNotShown() {
    let (kin, leaf) = (Kin("kin"), Kin("leaf"))
    let token = kin.observe(\.parent?.child?.name) { _, _ in }
    do {
      let parent = Kin("parent", child: leaf)
      kin.parent = parent
      #expect(lines(leaf).count == 1)
    }
    #expect(lines(leaf) == [])
    #expect(lines(kin).count == 1)
    token.invalidate()
  }

  @Test func itMayBeReadInsideOfACallAndInADeinit() {
    var descriptions: [String] = []
    do {
      let kin = Kin("kin")
      recorder.observe(kin, "name")
      recorder.whenCalled = { [unowned kin] _, _ in descriptions.append(kin.observersDescription) }
      kin.name = "changed"
      kin.whenReleased = { [unowned(unsafe) kin] in descriptions.append(kin.observersDescription) }
      recorder.whenCalled = nil
    }
    #expect(descriptions.count == 2)
    #expect(descriptions[0] == descriptions[1])
    #expect(descriptions[0].contains("name"))
  }

  @Test func itMayBeReadWhileOtherThreadsObserve() {
    let kin = Kin("kin")
    let keeper = Counter()
    keeper.observe(kin, "number", [])
    onThreads(3) { thread in
      let counter = Counter()
      for _ in 0..<500 {
        if thread == 0 {
          _ = kin.observersDescription
        } else {
          counter.observe(kin, thread == 1 ? "name" : "child.name", [])
          counter.unobserve(kin, thread == 1 ? "name" : "child.name")
        }
      }
    }
    #expect(lines(kin).count == 1)
    keeper.unobserve(kin, "number")
  }
}
