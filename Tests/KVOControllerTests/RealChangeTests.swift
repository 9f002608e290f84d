import KVOController
import Testing
import _KVOTestSupport

/// A handler asks whether a change makes a difference.
@Suite struct RealChangeTests {
  private let song = Song()
  private let controller = KVOController(observer: nil)

  private func changes<Value: Equatable>(
    of keyPath: KeyPath<Song, Value>, _ options: NSKeyValueObservingOptions = [.old, .new], _ body: () -> Void
  ) -> [Bool] {
    let observer = Song()
    var changes: [Bool] = []
    observer.observe(song, keyPath, options: options) { _, _, change in changes.append(change.changesValue) }
    body()
    return changes
  }

  @Test func onlyAnEqualValueMakesNoDifference() {
    #expect(
      changes(of: \.title) {
        song.title = "A"
        song.title = "A"
        song.title = "B"
      } == [true, false, true])
    #expect(
      changes(of: \.rating) {
        song.rating = nil
        song.rating = 1
        song.rating = 1
        song.rating = nil
      } == [false, true, false, true])
    #expect(changes(of: \.extent) { song.extent = Extent() } == [false])
    #expect(changes(of: \.tags) { song.tags.append(contentsOf: []) } == [false])
  }

  @Test func aDependentValueMayStayTheSame() {
    song.tags = ["a"]
    #expect(
      changes(of: \.headline) {
        song.title = "a"
        song.title = "A"
      } == [true, false])
  }

  @Test func aReplacedObjectOnThePathMakesADifferenceWithItsValueOnly() {
    song.next = Song("A")
    #expect(
      changes(of: \.next?.title) {
        song.next = Song("A")
        song.next = nil
        song.next = nil
      } == [false, true, false])
  }

  @Test func aValueThatWasNotRequestedMayDiffer() {
    for options in [[], .new, .old] as [NSKeyValueObservingOptions] {
      #expect(changes(of: \.title, options) { song.title = "" } == [true])
    }
    #expect(changes(of: \.title, [.initial, .new, .old]) {} == [true])
    #expect(changes(of: \.title, [.prior, .new, .old]) { song.title = "" } == [true, false])
  }

  @Test func objectsThatComeAndGoMakeADifference() {
    #expect(
      changes(of: \.tags) {
        song.mutableArrayValue(forKey: "tags").add("a")
        song.mutableArrayValue(forKey: "tags").replaceObject(at: 0, with: "a")
        song.mutableArrayValue(forKey: "tags").removeObject(at: 0)
      } == [true, true, true])
  }

  @Test func aMadeUpChange() {
    #expect(!KVOChange(keyPath: "title", oldValue: "A", newValue: "A").changesValue)
    #expect(KVOChange(keyPath: "title", oldValue: "A", newValue: "B").changesValue)
    #expect(KVOChange(keyPath: "number", oldValue: Double.nan, newValue: .nan).changesValue)
  }
}
