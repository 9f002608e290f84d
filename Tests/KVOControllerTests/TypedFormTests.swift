import KVOController
import Testing
import _KVOTestSupport

@Suite struct TypedFormTests {
  let song = Song("a")
  let recorder = Recorder()
  let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  @Test func theHandlerGetsTheObjectAndTheTypedChange() {
    var received: [(Song, String?, String?)] = []
    controller.observe(song, \.title) { song, change in received.append((song, change.oldValue, change.newValue)) }
    song.title = "b"
    #expect(received.count == 1)
    #expect(received.first?.0 === song)
    #expect(received.first?.1 == "a")
    #expect(received.first?.2 == "b")
  }

  @Test func aChangeOutlivesEverythingElse() {
    final class Window: KeyValueObject {
      @Observed var horizontalScrollPosition = 0
      @Observed var attachedWindow: Window?
      @Observed var lines: [Int] = []
    }
    var (numbers, lists): ([KVOChange<Int?>], [KVOChange<[Int]>]) = ([], [])
    do {
      let (window, recorder) = (Window(), Recorder())
      let controller = KVOController(observer: recorder)
      controller.observe(window, \.attachedWindow?.horizontalScrollPosition) { _, change in numbers.append(change) }
      controller.observe(window, \.lines) { _, change in lists.append(change) }
      window.attachedWindow = Window()
      window.attachedWindow?.horizontalScrollPosition = 2
      window.lines = [1]
      window.mutableArrayValue(forKey: "lines").add(2)
    }
    #expect(numbers.map(\.keyPath) == Array(repeating: "attachedWindow.horizontalScrollPosition", count: 2))
    #expect(numbers.map(\.newValue) == [0, 2])
    #expect(numbers.allSatisfy { $0.indexes == nil })
    #expect(lists.map(\.keyPath) == ["lines", "lines"])
    #expect(lists.map(\.indexes) == [nil, [1]])
    #expect("\(lists)".contains("keyPath: \"lines\""))
  }

  private struct Nothing: Equatable {}

  private final class Document: KeyValueObject {
    @Observed var saved: Void = ()
    @Observed var nothing = Nothing()
    @Observed var optional: Nothing?
  }

  @Test(
    arguments: [[], .new, .old, [.old, .new], [.initial, .new], [.old, .new, .prior]] as [NSKeyValueObservingOptions])
  func valuesWithoutSizeAreNotifiedAtRegistrationOnly(options: NSKeyValueObservingOptions) {
    let document = Document()
    var (calls, news, olds) = (0, 0, 0)
    controller.observe(document, \.saved, options: options) { _, change in
      calls += 1
      if change.newValue != nil { news += 1 }
      if change.oldValue != nil { olds += 1 }
    }
    controller.observe(document, \.nothing, options: options) { _, change in
      calls += 1
      if change.newValue == Nothing() { news += 1 }
      if change.oldValue == Nothing() { olds += 1 }
    }
    controller.observe(document, \.optional, options: options) { _, change in
      calls += 1
      if case .some = change.newValue { news += 1 }
      if case .some = change.oldValue { olds += 1 }
    }
    document.saved = ()
    document.nothing = Nothing()
    document.optional = Nothing()
    let (isInitial, isPrior) = (options.contains(.initial), options.contains(.prior))
    // An Optional of such a value has a size.
    #expect(calls == (isInitial ? 4 : isPrior ? 2 : 1))
    #expect(news == (options.contains(.new) ? (isInitial ? 4 : 1) : 0))
    #expect(olds == (options.contains(.old) ? (isPrior ? 2 : 1) : 0))
  }

  @Test func theHandlerMayTakeTheObserverFirst() {
    var observers: [Recorder] = []
    controller.observe(song, \.title) { (recorder: Recorder, song, change) in
      observers.append(recorder)
      #expect(change.newValue == song.title)
    }
    song.title = "b"
    #expect(observers.map { ObjectIdentifier($0) } == [ObjectIdentifier(recorder)])
  }

  @Test func theObserverMayBeOfAnyClass() {
    let plain = PlainRecorder()
    let controller = KVOController(observer: plain)
    controller.observe(song, \.plays) { (plain: PlainRecorder, _, _) in plain.redraw() }
    song.plays = 1
    #expect(plain.changes.count == 1)
    withExtendedLifetime(controller) {}
  }

  @Test func theObserverMayBeTakenAsItsSuperclass() {
    var count = 0
    controller.observe(song, \.plays) { (_: KeyValueObject, _, _) in count += 1 }
    song.plays = 1
    #expect(count == 1)
  }

  @Test func theChangeNamesTheKeyPathAndTheKind() {
    let (received, _) = controller.listen(to: song, \.title)
    song.title = "b"
    #expect(received.all.map(\.keyPath) == ["title"])
    #expect(received.all.map(\.kind) == [.setting])
    #expect(received.all.map(\.isPrior) == [false])
    #expect(received.all.map(\.indexes) == [nil])
  }

  /// Any value fits into these types, `NSNull` and nil included.
  private final class Anything: KeyValueObject {
    @Observed var object: AnyObject?
    @Observed var any: Any?
    @Observed var hashable: AnyHashable?
    @Observed var next: Anything?
  }

  @Test func nilOfATypeThatTakesAnyValueIsNil() {
    let anything = Anything()
    func receive<Value>(_ keyPath: KeyPath<Anything, Value?>, _ options: NSKeyValueObservingOptions) -> Locked<[Bool]> {
      let isNil = Locked<[Bool]>([])
      controller.observe(anything, keyPath, options: options) { _, change in
        for value in [change.oldValue, change.newValue] {
          if let value { isNil.append(value == nil) }
        }
      }
      return isNil
    }
    let all = [
      receive(\.object, [.initial, .old, .new, .prior]), receive(\.any, [.initial, .old, .new, .prior]),
      receive(\.hashable, [.initial, .old, .new, .prior]), receive(\.next?.object, [.initial, .old, .new]),
      receive(\.next?.any, [.initial, .old, .new]), receive(\.next?.hashable, [.initial, .old, .new]),
    ]
    anything.object = nil
    anything.any = nil
    anything.hashable = nil
    anything.next = nil
    // The initial value, the old value of the prior call, and both values of the change.
    #expect(all[..<3].map(\.current) == Array(repeating: [true, true, true, true], count: 3))
    #expect(all[3...].map(\.current) == Array(repeating: [true, true, true], count: 3))
  }

  @Test func requestedNilInAPropertyOfTypeAnyIsThere() {
    final class Slot: KeyValueObject {
      @Observed var value: Any = 0
    }
    let slot = Slot()
    var received: [(old: Any?, new: Any?)] = []
    controller.observe(slot, \.value) { _, change in received.append((change.oldValue, change.newValue)) }
    slot.value = Int?.none as Any
    slot.value = 1
    controller.unobserve(slot)
    controller.observe(slot, \.value, options: []) { _, change in received.append((change.oldValue, change.newValue)) }
    slot.value = Int?.none as Any
    #expect(received.map { $0.old == nil } == [false, false, true])
    #expect(received.map { $0.new == nil } == [false, false, true])
    #expect(received[0].new as? Int == nil && received[1].new as? Int == 1)
  }

  @Test func withoutOptionsTheChangeHoldsNoValues() {
    let (received, _) = controller.listen(to: song, \.rating, options: [])
    song.rating = 1
    #expect(received.new == [Int??.none])
    #expect(received.old == [Int??.none])
  }

  @Test func theInitialCallHoldsTheCurrentValue() {
    let (received, _) = controller.listen(to: song, \.title, options: [.initial, .new, .old])
    #expect(received.new == ["a"])
    #expect(received.old == [nil])
    #expect(received.all.map(\.kind) == [.setting])
  }

  @Test func thePriorCallHoldsTheOldValueOnly() {
    let (received, _) = controller.listen(to: song, \.title, options: [.prior, .new, .old])
    song.title = "b"
    #expect(received.all.map(\.isPrior) == [true, false])
    #expect(received.old == ["a", "a"])
    #expect(received.new == [nil, "b"])
  }

  @Test func requestedNilIsSomeNil() {
    song.rating = 1
    let (received, _) = controller.listen(to: song, \.rating)
    song.rating = nil
    song.rating = 2
    #expect(received.new == [.some(nil), 2])
    #expect(received.old == [1, .some(nil)])
  }

  @Test func valueThatWasNotRequestedIsNil() {
    let (received, _) = controller.listen(to: song, \.rating, options: .new)
    song.rating = nil
    #expect(received.new == [.some(nil)])
    #expect(received.old == [Int??.none])
  }

  @Test func priorCallHasNoNewValueEvenIfRequested() {
    let (received, _) = controller.listen(to: song, \.rating, options: [.prior, .new])
    song.rating = nil
    #expect(received.new == [Int??.none, .some(nil)])
  }

  @Test func enumsArriveAsEnums() {
    let (moods, _) = controller.listen(to: song, \.mood)
    let (styles, _) = controller.listen(to: song, \.style)
    song.mood = .merry
    song.style = .bold
    song.style = nil
    #expect(moods.new == [.merry])
    #expect(moods.old == [.calm])
    #expect(styles.new == [.bold, .some(nil)])
    #expect(styles.old == [.some(nil), .bold])
  }

  @Test func enumsSetThroughTheirRawValueArriveAsEnums() {
    let (moods, _) = controller.listen(to: song, \.mood)
    song.setValue(2, forKey: "mood")
    #expect(moods.new == [.wild])
  }

  @Test func structsArriveAsStructs() {
    let (extents, _) = controller.listen(to: song, \.extent)
    song.extent.width = 5
    #expect(extents.new == [Extent(width: 5, height: 2)])
    #expect(extents.old == [Extent()])
  }

  @Test func mutationInPlaceIsOneSettingOfTheWhole() {
    let (tags, _) = controller.listen(to: song, \.tags)
    song.tags.append("x")
    #expect(tags.all.map(\.kind) == [.setting])
    #expect(tags.new == [["x"]])
    #expect(tags.old == [[]])
  }

  @Test func insertionsHoldWhatWasInsertedAndWhere() {
    let (tags, _) = controller.listen(to: song, \.tags)
    song.mutableArrayValue(forKey: "tags").addObjects(from: ["x", "y"])
    #expect(tags.all.flatMap { $0.indexes.map(Array.init) ?? [] } == [0, 1])
    #expect(tags.all.allSatisfy { $0.kind == .insertion && $0.oldValue == nil })
    #expect(tags.new.flatMap { $0 ?? [] } == ["x", "y"])
  }

  @Test func removalsHoldWhatWasRemovedAndWhere() {
    song.tags = ["x", "y", "z"]
    let (tags, _) = controller.listen(to: song, \.tags)
    song.mutableArrayValue(forKey: "tags").removeObjects(at: [0, 2])
    #expect(tags.all.map(\.kind) == [.removal])
    #expect(tags.all.map(\.indexes) == [[0, 2]])
    #expect(tags.old == [["x", "z"]])
    #expect(tags.new == [nil])
  }

  @Test func replacementsHoldBothSides() {
    song.tags = ["x", "y"]
    let (tags, _) = controller.listen(to: song, \.tags)
    song.mutableArrayValue(forKey: "tags").replaceObject(at: 1, with: "z")
    #expect(tags.all.map(\.kind) == [.replacement])
    #expect(tags.all.map(\.indexes) == [[1]])
    #expect(tags.old == [["y"]])
    #expect(tags.new == [["z"]])
  }

  @Test func setsHoldWhatCameAndWent() {
    song.marks = [1, 2]
    let (marks, _) = controller.listen(to: song, \.marks)
    song.mutableSetValue(forKey: "marks").union([2, 3])
    song.mutableSetValue(forKey: "marks").minus([1])
    #expect(marks.all.map(\.kind) == [.insertion, .removal])
    #expect(marks.new == [[3], nil])
    #expect(marks.old == [nil, [1]])
  }

  @Test func arraysOfObjectsArriveAsSuch() {
    let part = Song("part")
    let (parts, _) = controller.listen(to: song, \.parts)
    song.mutableArrayValue(forKey: "parts").add(part)
    #expect(parts.new.first??.first === part)
  }

  @Test func aHandlerThatTakesAnotherClassStopsTheProcess() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Song(), \.title) { (_: PlainRecorder, _, _) in } }
    }
    #expect(said("Recorder", "PlainRecorder", in: result))
  }
}
