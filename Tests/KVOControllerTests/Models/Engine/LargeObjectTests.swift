#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Properties that lie far behind the beginning of a large object, where the engine finds them more slowly.
@Suite struct LargeObjectTests {
  private final class Archive: KeyValueObject {
    @Observed var first = 0
    var pages = InlineArray<10_000, Int>(repeating: 0)
    @Observed var last = 0
    @Observed var next: Archive?
  }

  @Test(arguments: [["first"], ["last"], ["first", "last"], ["last", "first"]])
  func theyNotifyLikeOthers(keys: [String]) {
    let (archive, recorder) = (Archive(), Recorder())
    for key in keys { recorder.observe(archive, key) }
    for number in 1...3 {
      archive.first = number
      archive.last = number * 10
      archive.pages[number] = number
    }
    var expected: [Change] = []
    for number in 1...3 {
      if keys.contains("first") { expected.append(Change(.setting, new: number, old: number - 1)) }
      if keys.contains("last") { expected.append(Change(.setting, new: number * 10, old: number * 10 - 10)) }
    }
    #expect(recorder.changes == expected)
    for key in keys { recorder.unobserve(archive, key) }
    #expect(archive.observationInfo == nil)
    archive.last = 1
    #expect(recorder.calls.count == expected.count)
  }

  @Test func pathsLeadThroughThem() {
    let (archive, recorder) = (Archive(), Recorder())
    recorder.observe(archive, "next.last")
    let other = Archive()
    other.last = 7
    archive.next = other
    other.last = 8
    archive.next = nil
    #expect(
      recorder.changes == [
        Change(.setting, new: 7, old: null), Change(.setting, new: 8, old: 7), Change(.setting, new: null, old: 8),
      ])
    recorder.unobserve(archive, "next.last")
  }
}
#endif
