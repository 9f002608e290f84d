import KVOController
import Testing
import _KVOTestSupport

/// Objects on a path that are replaced while a getter on the path runs.
@Suite(.watched) struct OvertakenTraversalTests {
  /// Leads to an object through a getter, which may do something once it has read where to.
  private final class Guide: Node, @unchecked Sendable {
    @Observed var target: Node?
    var whenRead: (() -> Void)?

    var way: Node? {
      let way = target
      whenRead.take()?()
      return way
    }

    override class var keyPaths: [String: AnyKeyPath] { ["way": \Guide.way] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "way" ? ["target"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  @Test(arguments: [true, false]) func theLatestReplacementIsFollowed(elsewhere: Bool) {
    let (guide, recorder) = (Guide(), Counter())
    let (stale, latest) = (Node("stale"), Node("latest"))
    recorder.observe(guide, "way.number", [])
    guide.whenRead = {
      // The getter continues with an object that isn't on the path any longer.
      if elsewhere { onThreads(1) { _ in guide.target = latest } } else { guide.target = latest }
    }
    guide.target = stale
    let before = recorder.total
    // Changes that a getter makes on the thread that follows the path are part of the change that it follows.
    #expect(before == (elsewhere ? 2 : 1))
    stale.number = 1
    #expect(recorder.total == before)
    latest.number = 1
    #expect(recorder.total == before + 1)
    recorder.unobserve(guide, "way.number")
    #expect([guide, stale, latest].allSatisfy { $0.registrationCount == 0 })
  }

  @Test(arguments: [true, false]) func aReplacementDuringTheRegistrationIsFollowed(elsewhere: Bool) {
    let (guide, counter) = (Guide(), Counter())
    let (stale, latest) = (Node("stale"), Node("latest"))
    guide.target = stale
    // Registered with before, so that another thread sees that the object is observed.
    counter.observe(guide, "number", [], context: 1)
    guide.whenRead = {
      if elsewhere { onThreads(1) { _ in guide.target = latest } } else { guide.target = latest }
    }
    counter.observe(guide, "way.number", [])
    let before = counter.total
    stale.number = 1
    #expect(counter.total == before)
    latest.number = 1
    #expect(counter.total == before + 1)
    counter.unobserve(guide, "way.number")
    counter.unobserve(guide, "number", context: 1)
    #expect([guide, stale, latest].allSatisfy { $0.registrationCount == 0 })
  }

  @Test func objectsOfALaterTraversalStayRegisteredWhenAnEarlierOneEnds() {
    let (root, first, second) = (Guide(), Guide(), Guide())
    let counter = Counter()
    first.target = Node("first")
    second.target = Node("second")
    root.target = first
    counter.observe(root, "way.way.number", [])
    let (isAtFirst, isBack) = (Gate(), Gate())
    // One thread leads away from the first, and stops on the way; another leads back to it, and stops behind it.
    root.whenRead = {
      isAtFirst.arrive()
      isAtFirst.wait(for: 3)
    }
    onThreads(2) { thread in
      if thread == 0 {
        root.target = second
        isBack.arrive()
      } else {
        isAtFirst.wait(for: 1)
        first.whenRead = {
          isAtFirst.arrive()
          isAtFirst.arrive()
          isBack.wait(for: 1)
        }
        root.target = first
      }
    }
    let before = counter.total
    #expect(before == 2)
    second.target?.number = 1
    #expect(counter.total == before)
    first.target?.number = 1
    #expect(counter.total == before + 1)
    first.target = Node("third")
    #expect(counter.total == before + 2)
    counter.unobserve(root, "way.way.number")
    #expect([root, first, second].allSatisfy { $0.registrationCount == 0 })
  }
}
