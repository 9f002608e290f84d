import KVOController
import Testing
import _KVOTestSupport

/// Where the references of sequences and changes are released.
@Suite(.watched) struct ReleaseTests {
  /// Marks the main queue, on which the main actor runs. Its thread may be any.
  private static let isMain: Locked<DispatchSpecificKey<Bool>> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return Locked(key)
  }()

  private static var isOnMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: isMain.current) == true }

  /// A model that notes whether the main actor has released it.
  private final class Witness: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0
    private let isReleasedOnMain: Locked<Bool?>

    init(_ isReleasedOnMain: Locked<Bool?>) { self.isReleasedOnMain = isReleasedOnMain }

    deinit { isReleasedOnMain.withLock { $0 = ReleaseTests.isOnMain } }
  }

  @MainActor @Test func aSequenceOfAnActorReleasesItsObjectThere() async {
    let (recorder, isReleasedOnMain) = (Recorder(), Locked<Bool?>(nil))
    let controller = KVOController(observer: recorder)
    // The sequence isn't retained here, so it ends when the task leaves its loop.
    func follower() -> Task<Void, Never> {
      let values = controller.values(of: Witness(isReleasedOnMain), \.number)
      return Task { @concurrent in
        for await _ in values { break }
      }
    }
    await follower().value
    while isReleasedOnMain.current == nil { await Task.yield() }
    #expect(isReleasedOnMain.current == true)
    withExtendedLifetime(recorder) {}
  }

  @MainActor @Test func aSequenceThatIsLeftOnItsActorReleasesItsObjectAtOnce() async {
    let (recorder, isReleasedOnMain) = (Recorder(), Locked<Bool?>(nil))
    let controller = KVOController(observer: recorder)
    for await _ in controller.changes(of: Witness(isReleasedOnMain), \.number, options: .initial) { break }
    #expect(isReleasedOnMain.current == true)
    withExtendedLifetime(recorder) {}
  }

  /// An identifier that can be watched.
  private final class Name: Hashable {
    static func == (left: Name, right: Name) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  @Test func aChangeDoesNotRetainTheIdentifier() {
    let (song, recorder) = (Song(), Recorder())
    let controller = KVOController(observer: recorder)
    weak var name: Name?
    var change: KVOChange<String>?
    do {
      let identifier = Name()
      name = identifier
      controller.observe(song, \.title, identifier: identifier) { change = $1 }
      song.title = "A"
      controller.unobserveAll()
    }
    #expect(change?.keyPath == "title" && change?.newValue == "A")
    #expect(name == nil)
  }
}
