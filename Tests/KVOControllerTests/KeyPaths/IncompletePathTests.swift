import KVOController
import Testing
import _KVOTestSupport

/// The keys of a typed key path with a nil step are unknown until the path has led to its end once.
@Suite struct IncompletePathTests {
  /// A class of its own for each test, because what is found out about a key path is found out for good.
  private final class Link<Test>: KeyValueObject, @unchecked Sendable {
    @Observed var other: Link?
    @Observed var name = ""
  }

  private enum One {}
  private enum Two {}
  private enum Three {}

  private typealias First = Link<One>
  private typealias Second = Link<Two>
  private typealias Third = Link<Three>

  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func beforeThatItsNameDoesNotEndIt() {
    let link = First()
    let (received, token) = controller.listen(to: link, \First.other?.name)
    controller.unobserve(link, keyPath: "other.name")
    #expect(token.isValid)
    link.other = First()
    #expect(received.count == 1)
    controller.unobserve(link, keyPath: "other.name")
    #expect(!token.isValid)
    #expect(link.registrationCount == 0)
  }

  @Test func beforeThatItIsAnotherObservationThanThatOfItsName() {
    let link = Second()
    controller.observe(link, keyPath: "other.name", action: Recorder.redraw)
    let (received, token) = controller.listen(to: link, \Second.other?.name)
    link.other = Second()
    #expect(recorder.count == 1)
    #expect(received.count == 1)
    // Both are of that name now, so it ends both.
    controller.unobserve(link, keyPath: "other.name")
    #expect(!token.isValid)
    #expect(link.registrationCount == 0)
  }

  @Test func onceItsKeysAreKnownItIsReplacedAllTheSame() {
    let link = Third()
    let (received, token) = controller.listen(to: link, \Third.other?.name)
    let (others, other) = controller.listen(to: link, \Third.other?.name, identifier: "other")
    link.other = Third()
    controller.observe(link, keyPath: "other.name", action: Recorder.redraw)
    let (again, same) = controller.listen(to: link, \Third.other?.name, identifier: "other")
    link.other?.name = "b"
    #expect(received.count == 2)
    #expect(others.count == 1 && again.count == 1)
    #expect(recorder.count == 1)
    #expect(!other.isValid && same.isValid)
    controller.unobserve(link, keyPath: "other.name", identifier: "other")
    #expect(!same.isValid && token.isValid)
    controller.unobserve(link, \Third.other?.name)
    #expect(!token.isValid)
    #expect(link.registrationCount == 0)
  }
}
