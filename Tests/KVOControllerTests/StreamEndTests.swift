import KVOController
import Testing
import _KVOTestSupport

/// Each way in which a sequence finishes, after which it releases the object.
@Suite(.watched) struct StreamEndTests {
  let recorder = Recorder()
  let controller: KVOController
  let object = Locked<Song?>(Song("a"))
  let life: Weak<Song>

  init() {
    controller = KVOController(observer: recorder)
    life = Weak(object.current)
  }

  private var values: AsyncStream<String> {
    object.current.map { controller.values(of: $0, \.title) } ?? AsyncStream { $0.finish() }
  }

  private var changes: AsyncStream<KVOChange<String>> {
    object.current.map { controller.changes(of: $0, \.title) } ?? AsyncStream { $0.finish() }
  }

  /// Whether the object is deallocated when the test releases it.
  private func isLetGoOf() -> Bool {
    _ = object.take()
    return !life.isAlive
  }

  /// Whether the sequence ends, after whatever it still holds.
  private func ends<Element: Sendable>(_ stream: AsyncStream<Element>) async -> Bool {
    for await _ in stream {}
    return true
  }

  @Test func theControllerKeepsTheObjectWhileTheSequenceLasts() {
    let values = values
    #expect(!isLetGoOf())
    withExtendedLifetime(values) {}
  }

  @Test func sequenceFinishesWhenItsLoopIsLeft() async {
    for await _ in values { break }
    #expect(isLetGoOf())
  }

  @Test func sequenceFinishesWhenItsTaskIsCancelled() async {
    let begun = Gate()
    let values = Locked<AsyncStream<String>?>(values)
    let task = Task {
      guard let values = values.take() else { return 0 }
      var count = 0
      for await _ in values {
        count += 1
        begun.arrive()
      }
      return count
    }
    #expect(await opened(begun))
    task.cancel()
    #expect(await task.value == 1)
    #expect(isLetGoOf())
  }

  /// Waits for the gate on a separate thread, so that no task is blocked.
  private func opened(_ gate: Gate) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: gate.wait()) }.start()
    }
  }

  @Test func sequenceFinishesWhenReleasedUnread() {
    do {
      let values = values
      let changes = changes
      withExtendedLifetime((values, changes)) {}
    }
    #expect(isLetGoOf())
  }

  enum Unobserving: CaseIterable { case theObject, itsName, everything }

  @Test(arguments: Unobserving.allCases) func sequenceFinishesWhenItIsUnobserved(unobserving: Unobserving) async {
    let values = values
    let changes = changes
    switch unobserving {
    case .theObject: controller.unobserve(object.current)
    case .itsName: controller.unobserve(object.current, keyPath: "title")
    case .everything: controller.unobserveAll()
    }
    #expect(await ends(values))
    #expect(await ends(changes))
    #expect(isLetGoOf())
  }

  @Test func sequenceFinishesWhenTheKeyPathIsUnobserved() async {
    let values = values
    let changes = changes
    if let song = object.current {
      let others = controller.values(of: song, \.plays)
      controller.unobserve(song, \.title)
      song.plays = 3
      var numbers: [Int] = []
      for await number in others {
        numbers.append(number)
        if number == 3 { break }
      }
      #expect(numbers == [0, 3])
    }
    #expect(await ends(values))
    #expect(await ends(changes))
  }

  @Test func sequenceFinishesWithItsController() async {
    var controller: KVOController? = KVOController(observer: recorder)
    let values = object.current.flatMap { controller?.values(of: $0, \.title) }
    controller = nil
    if let values { #expect(await ends(values)) }
    #expect(isLetGoOf())
  }

  @Test func sequenceFinishesWithTheObserverAndItsController() async {
    var observer: Recorder? = Recorder()
    let values = object.current.flatMap { observer?.kvoController.values(of: $0, \.title) }
    let changes = object.current.flatMap { observer?.kvoController.changes(of: $0, \.title) }
    observer = nil
    if let values { #expect(await ends(values)) }
    if let changes { #expect(await ends(changes)) }
    #expect(isLetGoOf())
  }

  @Test func sequenceOfAStandaloneControllerFinishesWithTheObserver() async {
    var observer: Recorder? = Recorder()
    let controller = KVOController(observer: observer)
    let values = object.current.map { controller.values(of: $0, \.title) }
    observer = nil
    if let values { #expect(await ends(values)) }
    #expect(isLetGoOf())
    withExtendedLifetime(controller) {}
  }

  @Test func sequenceFinishesAtTheFirstChangeAfterAnObserverOfAnyClassIsDeallocated() async {
    var observer: PlainRecorder? = PlainRecorder()
    let controller = KVOController(observer: observer)
    let values = object.current.map { controller.values(of: $0, \.title) }
    observer = nil
    object.current?.title = "b"
    if let values { #expect(await ends(values)) }
    #expect(isLetGoOf())
    withExtendedLifetime(controller) {}
  }

  @Test func sequenceFinishesWithAnUnretainedObject() async {
    let controller = KVOController(observer: recorder, retainObserved: false)
    let values = object.current.map { controller.values(of: $0, \.title) }
    #expect(isLetGoOf())
    if let values { #expect(await ends(values)) }
  }

  @Test func withoutAnObserverTheSequenceIsEmpty() async {
    let controller = KVOController(observer: nil)
    let values = object.current.map { controller.values(of: $0, \.title) }
    var count = 0
    if let values { for await _ in values { count += 1 } }
    #expect(count == 0)
    #expect(isLetGoOf())
  }

  @Test func aSequenceOfTheObserverItselfDoesNotKeepItAlive() async {
    var observer: ObservedRecorder? = ObservedRecorder()
    let life = Weak(observer)
    let values = observer.map { $0.kvoController.values(of: $0, \.mood) }
    observer = nil
    #expect(!life.isAlive)
    if let values { #expect(await ends(values)) }
  }

  @Test func manyThreadsMayEndSequencesAtOnce() async {
    let song = Song("a")
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = controller
    for _ in 0..<100 {
      let streams = (0..<4).map { _ in controller.values(of: song, \.title) }
      onThreads(3) { number in
        switch number {
        case 0: controller.unobserve(song, \.title)
        case 1: controller.unobserveAll()
        default: song.title = "b"
        }
      }
      for stream in streams { #expect(await ends(stream)) }
    }
  }
}
