#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Typed key paths that lead from a key of a foreign object, or from one that is notified by hand, into its value.
@Suite(.sound) struct ForeignValuePathTests {
  /// As a scroll view has them: a structure, a list, and an Optional, of which nothing is `@Observed`.
  class Scroll: ForeignNode, @unchecked Sendable {
    var offset: CGPoint {
      get { self["offset"] as? CGPoint ?? .zero }
      set { self["offset"] = newValue }
    }
    var tags: [String] {
      get { self["tags"] as? [String] ?? [] }
      set { self["tags"] = newValue }
    }
    var caption: String? {
      get { self["caption"] as? String }
      set { self["caption"] = newValue }
    }
    /// Isn't known to the runtime.
    var plain = CGPoint.zero

    override class var runtime: ImitatedClass? { scroll }

    private static let scroll = ImitatedClass(
      properties: ["offset": nil, "tags": nil], methods: ["caption"],
      getters: ["offset": \Scroll.offset, "tags": \Scroll.tags, "caption": \Scroll.caption])
  }

  class Page: KeyValueObject, @unchecked Sendable {
    @Observed var scroll: Scroll?
    private var storedExtent = CGSize.zero
    /// Is listed, and notified by hand.
    var extent: CGSize {
      get { storedExtent }
      set {
        willChangeValue(forKey: "extent")
        storedExtent = newValue
        didChangeValue(forKey: "extent")
      }
    }

    override class var keyPaths: [String: AnyKeyPath] { ["extent": \Page.extent] }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "extent" }
  }

  let recorder = Recorder()

  private func observe<Root: KeyValueObject, Value: Sendable>(
    _ root: Root, _ keyPath: KeyPath<Root, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    _ change: () -> Void
  ) -> [KVOChange<Value>] {
    let controller = KVOController(observer: recorder)
    let (received, _) = controller.listen(to: root, keyPath, options: options)
    change()
    controller.unobserveAll()
    return received.all
  }

  @Test func aStructuresPartChangesWithTheKey() {
    let scroll = Scroll()
    let changes = observe(scroll, \.offset.y) {
      scroll.offset.y = 3
      scroll.offset = CGPoint(x: 1, y: 4)
    }
    #expect(changes.map(\.newValue) == [3, 4])
    #expect(changes.map(\.oldValue) == [0, 3])
    #expect(scroll.registeredKeyPaths.isEmpty)
  }

  @Test func aCollectionsPropertyChangesWithTheKey() {
    let scroll = Scroll()
    #expect(observe(scroll, \.tags.count) { scroll.tags.append("a") }.map(\.newValue) == [1])
    #expect(observe(scroll, \.tags[0].count) { scroll.tags = ["abc"] }.map(\.newValue) == [3])
  }

  @Test func anOptionalsPartChangesWithTheKey() {
    let scroll = Scroll()
    let changes = observe(scroll, \.caption?.count) {
      scroll.caption = "ab"
      scroll.caption = nil
    }
    #expect(changes.map(\.newValue) == [2, .some(nil)])
    #expect(changes.map(\.oldValue) == [.some(nil), 2])
  }

  @Test func initialAndPriorCallsHaveTheirValues() {
    let scroll = Scroll()
    let changes = observe(scroll, \.offset.x, options: [.initial, .prior, .old, .new]) { scroll.offset.x = 2 }
    #expect(changes.map(\.newValue) == [0, nil, 2])
    #expect(changes.map(\.oldValue) == [nil, 0, 0])
    #expect(changes.map(\.isPrior) == [false, true, false])
  }

  @Test func aPathFromAModelFollowsTheForeignKey() {
    let (page, scroll) = (Page(), Scroll())
    let changes = observe(page, \.scroll?.offset.y) {
      page.scroll = scroll
      scroll.offset.y = 5
      page.scroll = nil
      scroll.offset.y = 6
    }
    #expect(changes.map(\.newValue) == [0, 5, .some(nil)])
    #expect(changes.map(\.oldValue) == [.some(nil), 0, 5])
    #expect(scroll.registeredKeyPaths.isEmpty)
  }

  @Test func aKeyThatIsNotifiedByHandIsFollowed() {
    let page = Page()
    let changes = observe(page, \.extent.width) { page.extent = CGSize(width: 7, height: 1) }
    #expect(changes.map(\.newValue) == [7])
    #expect(changes.map(\.oldValue) == [0])
  }

  @Test func changesOfAnotherThreadAreReadThere() {
    let scroll = Scroll()
    let changes = observe(scroll, \.offset.y) {
      onThreads(1) { _ in scroll.offset.y = 9 }
    }
    #expect(changes.map(\.newValue) == [9])
    #expect(changes.map(\.oldValue) == [0])
  }

  @Test func itIsEndedByItsKeyPath() {
    let scroll = Scroll()
    let controller = KVOController(observer: recorder)
    let (received, token) = controller.listen(to: scroll, \.offset.y)
    controller.unobserve(scroll, \.offset.y)
    scroll.offset.y = 1
    #expect(!token.isValid)
    #expect(received.count == 0)
  }

  /// As of AVPlayer, of which `rate` isn't listed: see `ObjectiveCClass`.
  @Test func aPathFromAModelLeadsToAMethod() {
    let (page, scroll) = (Page(), Scroll())
    page.scroll = scroll
    let changes = observe(page, \.scroll?.caption) { scroll.caption = "a" }
    #expect(changes.map(\.newValue) == ["a"])
    #expect(changes.map(\.keyPath) == ["scroll.caption"])
  }

  @Test func aPropertyWithoutKeyIsStillRefused() async {
    await #expect(processExitsWith: .failure) {
      let (scroll, recorder) = (Scroll(), Recorder())
      KVOController(observer: recorder).observe(scroll, \.plain.x) { _, _ in }
    }
  }

  // MARK: Classes that read paths themselves

  /// As CALayer reads `position.x`, which a structure has no key for.
  final class Layer: ForeignNode, @unchecked Sendable {
    override class var overriddenMethods: Set<String> {
      ["valueForKeyPath:", "observationInfo", "retain", "allowsWeakReference"]
    }

    override func value(forKeyPath keyPath: String) -> Any? {
      let position = self["position"] as? CGPoint ?? .zero
      return keyPath == "position.x" ? position.x : super.value(forKeyPath: keyPath)
    }
  }

  @Test(arguments: [true, false])
  func aClassThatReadsPathsItselfReadsTheRestOfThem(isRoot: Bool) {
    let (layer, view) = (Layer(), ForeignNode())
    layer["position"] = CGPoint.zero
    view["layer"] = layer
    let controller = KVOController(observer: recorder)
    var values: [CGFloat?] = []
    controller.observe(
      isRoot ? layer : view, keyPath: isRoot ? "position.x" : "layer.position.x", options: [.initial, .new]
    ) { _, _, change in values.append(change[.newKey] as? CGFloat) }
    layer["position"] = CGPoint(x: 2, y: 1)
    #expect(values == [0, 2])
    #expect(layer.registeredKeyPaths == ["position"])
    controller.unobserveAll()
    #expect(layer.registeredKeyPaths.isEmpty)
  }

  @Test func aClassThatReadsPathsItselfLeadsToObjects() {
    let (layer, mask, other) = (Layer(), Layer(), Layer())
    layer["position"] = CGPoint.zero
    for layer in [mask, other] { layer["position"] = CGPoint(x: 1, y: 1) }
    layer["mask"] = mask
    let controller = KVOController(observer: recorder)
    var values: [CGFloat?] = []
    controller.observe(layer, keyPath: "mask.position.x", options: [.old, .new]) { _, _, change in
      values += [change[.oldKey] as? CGFloat, change[.newKey] as? CGFloat]
    }
    mask["position"] = CGPoint(x: 2, y: 1)
    layer["mask"] = other
    mask["position"] = CGPoint(x: 3, y: 1)
    #expect(values == [1, 2, 2, 1])
    #expect(other.registeredKeyPaths == ["position"] && mask.registeredKeyPaths.isEmpty)
    controller.unobserveAll()
  }

  @Test func aPathThroughACollectionOfALayerStops() async {
    await #expect(processExitsWith: .failure) {
      let (layer, recorder) = (Layer(), Recorder())
      layer["sublayers"] = [Layer()]
      KVOController(observer: recorder).observe(layer, keyPath: "sublayers.position", options: []) { _, _, _ in }
    }
  }

  // MARK: Changes without values

  /// As AppKit's controllers, whose changes have no values.
  final class Selection: ForeignNode, @unchecked Sendable {
    var index: Int? {
      get { self["index"] as? Int }
      set { self["index"] = newValue }
    }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(properties: ["index": nil], getters: ["index": \Selection.index])
    override class var overriddenMethods: Set<String> { ["addObserver:forKeyPath:options:context:"] }
    override var omitsValues: Bool { true }

    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
      context: UnsafeMutableRawPointer?
    ) {
      super.addObserver(observer, forKeyPath: keyPath, options: [], context: context)
    }
  }

  @MainActor @Test func theValuesOfAControllerAreReadAfterItsChanges() {
    let (selection, song) = (Selection(), Song())
    let controller = KVOController(observer: recorder)
    var (names, typed, distinct): ([Int?], [Int??], [Int??]) = ([], [], [])
    controller.observe(selection, keyPath: "index", options: [.initial, .new]) { _, _, change in
      names.append(change[.newKey] as? Int)
    }
    controller.observe(selection, \.index) { _, change in typed.append(change.newValue) }
    controller.observe(selection, \.index, delivery: .distinct) { _, change in distinct.append(change.newValue) }
    song.bind(selection, \.index, to: \.rating)
    for index in [1, 2, 2, nil] { selection.index = index }
    #expect(names == [nil, 1, 2, 2, nil])
    #expect(typed == [1, 2, 2, .some(nil)])
    #expect(distinct == [1, 2, .some(nil)])
    selection.index = 3
    #expect(song.rating == 3)
    controller.unobserveAll()
    song.kvoController.unobserveAll()
    #expect(selection.registeredKeyPaths.isEmpty)
  }

  @Test func whatCountsItselfIsAskedForItsDeinit() {
    // NSObject's method doesn't know of the references that a layer counts.
    #expect(Layer().hasBegunDeinit { asOfOwnClass in !asOfOwnClass })
    #expect(!Layer().hasBegunDeinit { _ in true })
    // Another class may refuse weak references at any time.
    #expect(!ForeignNode(overriding: ["allowsWeakReference"]).hasBegunDeinit { asOfOwnClass in !asOfOwnClass })
  }

  @Test(arguments: ["observationInfo", "removeObserver:forKeyPath:context:", "removeObserver:forKeyPath:"])
  func aClassThatRemovesObserversItselfKeepsThemElsewhere(method: String) {
    #expect(!ForeignNode(overriding: [method]).keepsFoundationStorage)
    #expect(ForeignNode().keepsFoundationStorage)
  }

  // MARK: User defaults

  final class Defaults: ForeignNode, @unchecked Sendable {
    var theme: String? { self["theme"] as? String }

    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(properties: ["theme": nil], getters: ["theme": \Defaults.theme])
    override var hasKeysWithDots: Bool { true }

    // What another process changes isn't notified before.
    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
      context: UnsafeMutableRawPointer?
    ) {
      super.addObserver(observer, forKeyPath: keyPath, options: options.subtracting(.prior), context: context)
    }
  }

  @Test func whatAnotherProcessChangesIsNotifiedWithItsNewValue() {
    let defaults = Defaults()
    let changes = observe(defaults, \.theme?.count) { defaults["theme"] = "dark" }
    #expect(changes.map(\.newValue) == [4])
    #expect(changes.map(\.oldValue) == [nil])
  }

  #if DEBUG
  @Test func aKeyWithADotOfUserDefaultsIsReportedOnce() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let (defaults, recorder) = (Defaults(), Recorder())
        let controller = KVOController(observer: recorder)
        for identifier in 0..<2 {
          controller.observe(defaults, keyPath: "editor.size", identifier: identifier) { _, _, _ in }
        }
        controller.observe(defaults, keyPath: "size") { _, _, _ in }
      })
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.components(separatedBy: "aren't notified").count == 2)
    #expect(message.contains("UserDefaults.didChangeNotification"))
    #expect(message.contains("\"editor.size\""))
  }
  #endif
}
#endif
