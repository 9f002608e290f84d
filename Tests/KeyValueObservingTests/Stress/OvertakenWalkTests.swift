import KeyValueObserving
import Testing

/// Objects on a path that are replaced while a getter on the path runs.
@Suite(.watched) struct OvertakenWalkTests {
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
      // The getter goes on with an object that is on the path no longer.
      if elsewhere { onThreads(1) { _ in guide.target = latest } } else { guide.target = latest }
    }
    guide.target = stale
    let before = recorder.total
    #expect(before == 2)
    stale.number = 1
    #expect(recorder.total == before)
    latest.number = 1
    #expect(recorder.total == before + 1)
    recorder.unobserve(guide, "way.number")
    #expect([guide, stale, latest].allSatisfy { $0.observationInfo == nil })
  }
}
