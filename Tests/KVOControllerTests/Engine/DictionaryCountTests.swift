#if DEBUG && !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Typed handlers receive their changes without a change dictionary in between.
///
/// The engine counts those that it makes, in a process of its own for each test.
@Suite struct DictionaryCountTests {
  @Test func aTypedHandlerMakesNoChangeDictionary() async {
    await #expect(processExitsWith: .success) {
      let song = Song("a")
      let recorder = Recorder()
      let controller = KVOController(observer: recorder)
      let received = Locked(0)
      let options: NSKeyValueObservingOptions = [.old, .new, .prior, .initial]
      controller.observe(song, \.title, options: options) { _, change in received.add(change.newValue?.count ?? 0) }
      controller.observe(song, \.title, options: options, identifier: 1) { (_: Recorder, _, change) in received.add() }
      controller.observe(song, \.mood, options: options) { _, change in received.add() }
      controller.observe(song, \.next?.title, options: options) { _, change in received.add() }
      controller.observe(song, \.caption, options: options) { _, change in received.add() }
      controller.observe(song, \.tags, options: options) { _, change in received.add() }
      let values = controller.values(of: song, \.title)
      let observation = song.observe(\.title, options: options) { _, change in received.add() }
      for number in 0..<100 {
        song.title = "\(number)"
        song.mood = .merry
        song.next = Song("n")
        song.mutableArrayValue(forKey: "tags").add("x")
      }
      precondition(received.current > 1000)
      precondition(DictionaryCount.current == 0, "\(DictionaryCount.current) dictionaries")
      withExtendedLifetime((controller, recorder, values, observation)) {}
    }
  }

  @Test func eachBlockReceivesItsOwnChangeDictionary() async {
    await #expect(processExitsWith: .success) {
      let song = Song("a")
      let recorder = Recorder()
      let controller = KVOController(observer: recorder)
      controller.observe(song, keyPath: "title", options: [.old, .new]) { _, _, _ in }
      for number in 0..<100 { song.title = "\(number)" }
      precondition(DictionaryCount.current == 100, "\(DictionaryCount.current) dictionaries")
      withExtendedLifetime((controller, recorder)) {}
    }
  }
}
#endif
