import KVOController
import Testing
import _KVOTestSupport

/// A typed path and a name that lead to two private properties of one name.
@Suite struct EqualNameTests {
  private class Loader: KeyValueObject, @unchecked Sendable {
    @Observed private var isLoading = false
    func load() { isLoading = true }
    static var path: KeyPath<Page, Bool> { \.loader.isLoading }
    static var ownPath: KeyPath<Loader, Bool> { \.isLoading }
  }

  private final class ImageLoader: Loader, @unchecked Sendable {
    @Observed private var isLoading = false
    func loadImage() { isLoading = true }
    static var imagePath: KeyPath<ImageLoader, Bool> { \.isLoading }
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

  @Test func aNameBehindTheFirstKeyEndsAnyPropertyOfThatName() {
    let token = observeTyped()
    observeName()
    #expect(change() == ["typed", "name"])
    controller.unobserve(page, keyPath: "loader.isLoading")
    #expect(!token.isValid && change() == [])
  }

  @Test func twoTypedPathsOfOneNameAreTwoObservations() {
    func observe() -> (KVOObservation, KVOObservation) {
      (
        controller.observe(loader, Loader.ownPath) { [received] (_: Recorder, _, _) in received.append("own") },
        controller.observe(loader, ImageLoader.imagePath) { [received] (_: Recorder, _, _) in received.append("image") }
      )
    }
    let (own, image) = observe()
    #expect(change() == ["own", "image"])
    controller.unobserve(loader, Loader.ownPath)
    #expect(!own.isValid && image.isValid)
    #expect(change() == ["image"])
    // A name ends all that show it.
    let (again, same) = observe()
    controller.unobserve(loader, keyPath: "isLoading")
    #expect(!again.isValid && !same.isValid && !image.isValid && change() == [])
  }

  @Test func atTheFirstKeyANameMeansTheMostDerivedProperty() {
    let typed = controller.observe(loader, Loader.ownPath) { [received] (_: Recorder, _, _) in received.append("typed")
    }
    controller.observe(loader, keyPath: "isLoading") { [received] (_, _, _) in received.append("name") }
    #expect(change() == ["typed", "name"])
    controller.unobserve(loader, Loader.ownPath)
    #expect(!typed.isValid && change() == ["name"])
  }

  @Test func identifiersAreDistinguished() {
    let typed = controller.observe(page, Loader.path, identifier: 1) { [received] (_: Recorder, _, _) in
      received.append("typed")
    }
    controller.observe(page, keyPath: "loader.isLoading", identifier: 2) { [received] _, _, _ in
      received.append("name")
    }
    #expect(change() == ["typed", "name"])
    controller.unobserve(page, Loader.path, identifier: 1)
    #expect(!typed.isValid && change() == ["name"])
    controller.unobserve(page, keyPath: "loader.isLoading", identifier: 2)
    #expect(change() == [])
  }

  @Test func aTypedPathEndsTheNameOfItsProperty() {
    let page = Page(Loader())
    let token = controller.observe(page, Loader.path) { [received] (_: Recorder, _, _) in received.append("typed") }
    controller.observe(page, keyPath: "loader.isLoading") { [received] _, _, _ in
      received.append("name")
    }
    page.loader.load()
    #expect(received.current.sorted() == ["name", "typed"])
    controller.unobserve(page, Loader.path)
    #expect(!token.isValid && page.registrationCount == 0)
  }
}
