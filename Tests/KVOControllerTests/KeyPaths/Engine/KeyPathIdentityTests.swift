#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Which property a key path, a name, or a step of a path means.
@Suite struct KeyPathIdentityTests {
  let recorder = Recorder()

  private final class Item: KeyValueObject, @unchecked Sendable {
    @Observed var price = 0
    var doubled: Int { price }
  }

  // MARK: Private namesakes

  private class Loader: KeyValueObject, @unchecked Sendable {
    @Observed private var isLoading = false
    func observeLoading(_ handler: @escaping @Sendable (Bool?) -> Void) -> NSKeyValueObservation {
      observe(\.isLoading, options: .new) { _, change in handler(change.newValue) }
    }
    func load() { isLoading = true }
    static func observeLoading(of page: Page, _ handler: @escaping @Sendable (Bool??) -> Void) -> NSKeyValueObservation
    {
      page.observe(\.loader?.isLoading, options: .new) { _, change in handler(change.newValue) }
    }
  }

  private final class ImageLoader: Loader, @unchecked Sendable {
    @Observed private var isLoading = false
    func observeImage(_ handler: @escaping @Sendable (Bool?) -> Void) -> NSKeyValueObservation {
      observe(\.isLoading, options: .new) { _, change in handler(change.newValue) }
    }
    func loadImage() { isLoading = true }
  }

  @Test(arguments: [false, true]) func equalPrivateNamesAreTwoProperties(imageFirst: Bool) {
    let loader = ImageLoader()
    nonisolated(unsafe) var received: [String] = []
    var tokens: [NSKeyValueObservation] = []
    if imageFirst { tokens.append(loader.observeImage { received.append("image \($0 == true)") }) }
    tokens.append(loader.observeLoading { received.append("loader \($0 == true)") })
    if !imageFirst { tokens.append(loader.observeImage { received.append("image \($0 == true)") }) }
    loader.load()
    #expect(received == ["loader true"])
    loader.loadImage()
    #expect(received == ["loader true", "image true"])
    withExtendedLifetime(tokens) {}
  }

  private final class Page: KeyValueObject, @unchecked Sendable {
    @Observed var loader: Loader?
  }

  @Test(arguments: [false, true])
  func inTheMiddleOfAPathThePropertyOfTheStaticClassIsMeant(isThereAtOnce: Bool) {
    // Known by their key paths, so that the path has a name.
    withExtendedLifetime(Loader().observeLoading { _ in }) {}
    withExtendedLifetime(ImageLoader().observeImage { _ in }) {}
    let (page, loader) = (Page(), ImageLoader())
    if isThereAtOnce { page.loader = loader }
    nonisolated(unsafe) var received: [Bool??] = []
    let token = Loader.observeLoading(of: page) { received.append($0) }
    if !isThereAtOnce {
      page.loader = loader
      #expect(received == [false])
      received = []
    }
    loader.loadImage()
    #expect(received == [])
    loader.load()
    #expect(received == [true])
    page.loader = nil
    #expect(received == [true, .some(nil)])
    token.invalidate()
  }

  @Test func inTheMiddleOfANamedPathThePropertyOfTheObjectsClassIsMeant() {
    let (page, loader) = (Page(), ImageLoader())
    page.loader = loader
    recorder.observe(page, "loader.isLoading")
    loader.load()
    #expect(recorder.take() == [])
    loader.loadImage()
    #expect(recorder.take() == [.setting(new: true, old: false)])
  }

  @Test func byNameThatOfTheSubclassIsMeant() {
    let loader = ImageLoader()
    recorder.observe(loader, "isLoading")
    loader.load()
    #expect(recorder.take() == [])
    loader.loadImage()
    #expect(recorder.take() == [.setting(new: true, old: false)])
    #expect(loader.value(forKey: "isLoading") as? Bool == true)
  }

  // MARK: Overrides

  private class Shape: KeyValueObject, @unchecked Sendable {
    @Observed var width = 1.0
    @Observed var area = 0.0
    @Observed var title = "shape"
    @Observed var inner: Shape?
  }

  /// Overrides what a name doesn't lead to.
  private class Square: Shape, @unchecked Sendable {
    override var area: Double {
      get { width * width }
      set { width = newValue.squareRoot() }
    }
    override var title: String {
      get { super.title.uppercased() }
      set { super.title = newValue }
    }
    override var inner: Shape? {
      get { super.inner ?? spare }
      set { super.inner = newValue }
    }
    let spare = Shape()
  }

  /// Lists what it overrides.
  private final class ListedSquare: Square, @unchecked Sendable {
    override class var keyPaths: [String: AnyKeyPath] {
      ["area": \ListedSquare.area, "title": \ListedSquare.title, "inner": \ListedSquare.inner]
    }
  }

  @Test func anOverridesValueAndDependenciesCount() {
    let square = ListedSquare()
    recorder.observe(square, "area")
    // All calls are made on this thread.
    nonisolated(unsafe) var typed: [Double?] = []
    let token = square.observe(\.area, options: .new) { _, change in typed.append(change.newValue) }
    square.width = 3
    #expect(recorder.take() == [.setting(new: 9.0, old: 1.0)])
    #expect(typed == [9])
    square.area = 16
    #expect(recorder.take() == [.setting(new: 16.0, old: 9.0)])
    #expect(typed == [9, 16])
    token.invalidate()
  }

  @Test func aNameMeansTheSuperclassesPropertyUnlessTheOverrideIsListed() {
    let square = Square()
    recorder.observe(square, "area")
    nonisolated(unsafe) var typed: [Double?] = []
    let token = square.observe(\.area, options: .new) { _, change in typed.append(change.newValue) }
    square.width = 3
    #expect(recorder.take() == [])
    #expect(typed == [9])
    #expect(square.value(forKey: "area") as? Double == 0)
    square.setValue(4.0, forKey: "area")
    #expect(recorder.take() == [.setting(new: 4.0, old: 0.0)])
    #expect(square.area == 9)
    #expect(typed == [9])
    token.invalidate()
  }

  @Test func anOverrideIsReadAndSetByCoding() {
    let square = ListedSquare()
    square.width = 2
    #expect(square.value(forKey: "area") as? Double == 4)
    square.setValue(25.0, forKey: "area")
    #expect(square.width == 5)
    #expect(square.value(forKeyPath: "title") as? String == "SHAPE")
  }

  @Test func anOverrideThatPassesOnIsOneChange() {
    let square = ListedSquare()
    recorder.observe(square, "title")
    nonisolated(unsafe) var typed: [String?] = []
    let token = square.observe(\.title, options: .new) { _, change in typed.append(change.newValue) }
    square.title = "a"
    #expect(recorder.take() == [.setting(new: "A", old: "SHAPE")])
    #expect(typed == ["A"])
    token.invalidate()
  }

  @Test func anOverrideInTheMiddleOfAPathIsFollowed() {
    let square = ListedSquare()
    recorder.observe(square, "inner.width")
    square.spare.width = 2
    #expect(recorder.take() == [.setting(new: 2.0, old: 1.0)])
    square.inner = Shape()
    #expect(recorder.take() == [.setting(new: 1.0, old: 2.0)])
    square.spare.width = 3
    #expect(recorder.take() == [])
  }

  @Test func aTypedPathMeansTheOverrideAtEveryPlace() {
    let square = Square()
    nonisolated(unsafe) var widths: [Double??] = []
    nonisolated(unsafe) var areas: [Double??] = []
    let holder = Shape()
    holder.inner = square
    let tokens = [
      square.observe(\.inner?.width, options: .new) { _, change in widths.append(change.newValue) },
      holder.observe(\.inner?.area, options: .new) { _, change in areas.append(change.newValue) },
    ]
    square.spare.width = 2
    #expect(widths == [2])
    square.width = 3
    #expect(areas == [9])
    square.inner = Shape()
    #expect(widths == [2, 1])
    holder.inner = Shape()
    #expect(areas == [9, 0])
    withExtendedLifetime(tokens) {}
  }

  /// Nothing is observed in objects of its superclass before.
  private class Parcel: KeyValueObject, @unchecked Sendable {
    @Observed var weight = 1
    @Observed var price = 0
  }

  private final class PricedParcel: Parcel, @unchecked Sendable {
    override var price: Int {
      get { weight * 2 }
      set { weight = newValue / 2 }
    }
    override class var keyPaths: [String: AnyKeyPath] { ["price": \PricedParcel.price] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "price" ? ["weight"] : []
    }
  }

  @Test func anOverrideThatIsListedCountsFromTheBeginning() {
    let parcel = PricedParcel()
    recorder.observe(parcel, "price")
    parcel.weight = 3
    #expect(recorder.take() == [.setting(new: 6, old: 2)])
    parcel.setValue(10, forKey: "price")
    #expect(parcel.weight == 5)
    #expect(recorder.take() == [.setting(new: 10, old: 6)])
  }

  @Test func theSuperclassesObjectsKeepTheirProperty() {
    let shape = Shape()
    recorder.observe(shape, "area")
    shape.width = 2
    #expect(recorder.take() == [])
    shape.area = 3
    #expect(recorder.take() == [.setting(new: 3.0, old: 0.0)])
  }

  // MARK: Observable or not

  private final class Account: KeyValueObject, @unchecked Sendable {
    @Observed var name = "guest"
    let isAdmin: Bool
    init(isAdmin: Bool = false) { self.isAdmin = isAdmin }
    var label: String { isAdmin ? "admin" : name }
  }

  @Test func whetherAPathCanBeObservedDoesNotDependOnTheObject() {
    let guest = Account()
    nonisolated(unsafe) var received: [String?] = []
    let first = guest.observe(\.label, options: .new) { _, change in received.append(change.newValue) }
    let second = Account(isAdmin: true).observe(\.label, options: .new) { _, _ in }
    guest.name = "a"
    #expect(received == ["a"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func pathsIntoASubscriptAreDistinguishedByTheirArguments() {
    final class Board: KeyValueObject, @unchecked Sendable {
      @Observed var cells = [1, 2]
      subscript(index: Int) -> Int { cells[index] }
    }
    let board = Board()
    // All calls are made on this thread.
    nonisolated(unsafe) var received: [Int?] = []
    let tokens = [
      board.observe(\.[0], options: .new) { _, change in received.append(change.newValue) },
      board.observe(\.[1], options: .new) { _, change in received.append(change.newValue) },
    ]
    board.cells = [3, 4]
    #expect(received == [4, 3])
    withExtendedLifetime(tokens) {}
  }

  @Test func aListedKeyMayBeginAPath() {
    final class Circle: KeyValueObject, @unchecked Sendable {
      @Observed var center: Item?
      var anchor: Item? { center }
      override class var keyPaths: [String: AnyKeyPath] { ["anchor": \Circle.anchor] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "anchor" ? ["center"] : []
      }
    }
    let circle = Circle()
    circle.center = Item()
    nonisolated(unsafe) var received: [Int??] = []
    let token = circle.observe(\.anchor?.price, options: .new) { _, change in received.append(change.newValue) }
    circle.center?.price = 3
    #expect(received == [3])
    circle.willChangeValue(for: \.anchor?.price)
    circle.didChangeValue(for: \.anchor?.price)
    token.invalidate()
  }

  @Test func aManualChangeOfAPathWithoutANameStopsTheProcess() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Item().willChangeValue(for: \.doubled)
    }
    #expect(said(#"Could not extract a String from KeyPath \\Item\.<Int>.*list it in the class's keyPaths"#, result))
  }
}
#endif
