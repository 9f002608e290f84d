import KVOController
import Testing
import _KVOTestSupport

/// A typed path and a name that lead to two private properties of one name.
@Suite struct EqualNameTests {
  private class Loader: KeyValueObject, @unchecked Sendable {
    @Observed private var isLoading = false
    func load() { isLoading = true }
    static var path: KeyPath<Page, Bool> { \.loader.isLoading }
  }

  private final class ImageLoader: Loader, @unchecked Sendable {
    @Observed private var isLoading = false
    func loadImage() { isLoading = true }
  }

  private final class Page: KeyValueObject, @unchecked Sendable {
    @Observed var loader: Loader
    init(_ loader: Loader) {
      self.loader = loader
      super.init()
    }
  }

  private let loader = ImageLoader()
  private let received = Locked<[String]>([])
  private let page: Page
  private let recorder = Recorder()
  private let controller: KVOController

  init() {
    page = Page(loader)
    controller = KVOController(observer: recorder)
  }

  private func observeTyped() -> KVOObservation {
    controller.observe(page, Loader.path) { [received] (_: Recorder, _, _) in received.append("typed") }
  }

  private func observeName() {
    controller.observe(page, keyPath: "loader.isLoading") { [received] (_, _, _) in
      received.append("name")
    }
  }

  private func change() -> [String] {
    _ = received.take()
    loader.load()
    loader.loadImage()
    return received.take()
  }

  @Test(arguments: [false, true]) func aTypedPathAndANameOfTwoPropertiesAreTwoObservations(nameFirst: Bool) {
    if nameFirst { observeName() }
    _ = observeTyped()
    if !nameFirst { observeName() }
    #expect(change() == ["typed", "name"])
    // Each of them is observed once.
    _ = observeTyped()
    observeName()
    #expect(change() == ["typed", "name"])
  }

  @Test(arguments: [false, true]) func eachIsEndedByItself(nameFirst: Bool) {
    if nameFirst { observeName() }
    _ = observeTyped()
    if !nameFirst { observeName() }
    controller.unobserve(page, keyPath: "loader.isLoading")
    #expect(change() == ["typed"])
    observeName()
    controller.unobserve(page, Loader.path)
    #expect(change() == ["name"])
  }

  private final class Overriding: KVOController {
    var calls = 0

    override func unobserve(_ object: Any?, keyPath: String) {
      calls += 1
      super.unobserve(object, keyPath: keyPath)
    }
  }

  @Test func aNameThatMeansAnotherPathEndsNoTypedPathInASubclass() {
    let controller = Overriding(observer: recorder)
    controller.observe(page, keyPath: "loader.isLoading") { [received] (_, _, _) in
      received.append("name")
    }
    controller.observe(page, Loader.path) { [received] (_: Recorder, _, _) in received.append("typed") }
    controller.unobserve(page, Loader.path)
    #expect(controller.calls == 0)
    #expect(change() == ["name"])
  }

  @Test func aTypedPathIsEndedByItsNameIfNothingElseHasIt() {
    let token = observeTyped()
    controller.unobserve(page, keyPath: "loader.isLoading")
    #expect(change() == [])
    #expect(!token.isValid)
  }

  @Test func identifiersOfTheTwoAreDistinguished() {
    controller.observe(page, Loader.path, identifier: 1) { [received] (_: Recorder, _, _) in received.append("typed")
    }
    controller.observe(page, keyPath: "loader.isLoading", identifier: 1) { [received] _, _, _ in
      received.append("name")
    }
    #expect(change() == ["typed", "name"])
    controller.unobserve(page, Loader.path, identifier: 1)
    #expect(change() == ["name"])
    controller.unobserve(page, keyPath: "loader.isLoading", identifier: 1)
    #expect(change() == [])
  }

  @Test func typedPathAndNameOfOnePropertyAreOneObservation() {
    let page = Page(Loader())
    let token = controller.observe(page, Loader.path) { [received] (_: Recorder, _, _) in received.append("typed") }
    controller.observe(page, keyPath: "loader.isLoading") { [received] _, _, _ in
      received.append("name")
    }
    page.loader.load()
    #expect(received.current == ["typed"])
    controller.unobserve(page, keyPath: "loader.isLoading")
    #expect(!token.isValid)
  }
}
