#if canImport(Observation)
import KVOController
import _KVOTestSupport
import Observation
import Testing

/// Models whose class conforms to `Observable`.
@Suite(.watched) struct ObservableModelTests {
  let document = Document()
  let tracking = Tracking()

  // MARK: Kinds of changes

  /// A change of a document, and a read of what it changes.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let read: @Sendable (Document) -> Void
    let change: @Sendable (Document) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ read: @escaping @Sendable (Document) -> Void, _ change: @escaping @Sendable (Document) -> Void
    ) {
      (self.name, self.read, self.change) = (name, read, change)
    }

    private static let title: ReferenceWritableKeyPath<Document, String> & Sendable = \.title

    static let all = [
      Way("setter", { _ = $0.title }, { $0.title = "a" }),
      Way("in place", { _ = $0.pages }, { $0.pages += 1 }),
      Way("set through a key path, as by @Bindable", { _ = $0[keyPath: title] }, { $0[keyPath: title] = "a" }),
      Way("in place through a key path", { _ = $0[keyPath: title] }, { $0[keyPath: title].append("s") }),
      Way("in place, in a collection", { _ = $0.words }, { $0.words.append("a") }),
      Way("coding", { _ = $0.title }, { $0.setValue("a", forKey: "title") }),
      Way("coding along a path", { _ = $0.title }, { $0.setValue("a", forKeyPath: "self.title") }),
      Way("coding of several", { _ = $0.title }, { $0.setValuesForKeys(["title": "a"]) }),
      Way("coding of a computed key", { _ = $0.title }, { $0.setValue("a", forKey: "summary") }),
      Way("array proxy", { _ = $0.words }, { $0.mutableArrayValue(forKey: "words").add("a") }),
      Way("set proxy", { _ = $0.labels }, { $0.mutableSetValue(forKey: "labels").add("a") }),
      Way("pair by hand", { _ = $0.title }) {
        $0.willChangeValue(forKey: "title")
        $0.didChangeValue(forKey: "title")
      },
      Way("pair by key path", { _ = $0.title }) {
        $0.willChangeValue(for: \.title)
        $0.didChangeValue(for: \.title)
      },
      Way("pair of indexes by hand", { _ = $0.words }) {
        $0.willChange(.insertion, valuesAt: [0], forKey: "words")
        $0.didChange(.insertion, valuesAt: [0], forKey: "words")
      },
      Way("setter without automatic notification", { _ = $0.revision }, { $0.revision = 1 }),
      Way("computed property", { _ = $0.summary }, { $0.pages = 1 }),
      Way("dependent key, read by its accessor", { _ = $0.subtitle }, { $0.title = "a" }),
      Way("read through coding, set", { _ = $0.value(forKey: "title") }, { $0.title = "a" }),
      Way("read through a path, set", { _ = $0.value(forKeyPath: "self.title") }, { $0.title = "a" }),
      Way("read through coding, in place", { _ = $0.value(forKey: "words") }, { $0.words = ["a"] }),
      Way("read through a proxy, set", { _ = $0.mutableArrayValue(forKey: "words").count }, { $0.words = [] }),
      Way("computed key, read through coding", { _ = $0.value(forKey: "summary") }, { $0.title = "a" }),
      Way("key without storage, by hand", { _ = $0.value(forKey: "note") }) {
        $0.willChangeValue(forKey: "note")
        $0.note = "a"
        $0.didChangeValue(forKey: "note")
      },
      Way("key without storage, coded", { _ = $0.value(forKey: "note") }, { $0.setValue("a", forKey: "note") }),
      Way(
        "key that depends on an object that isn't Observable", { _ = $0.value(forKey: "progress") },
        { $0.draft?.progress += 1 }),
      Way("property of a subclass", { _ = ($0 as? Report)?.author }, { ($0 as? Report)?.author = "a" }),
      Way("property of a superclass, in a subclass", { _ = ($0 as? Report)?.title }, { $0.title = "a" }),
    ]
  }

  @Test(arguments: Way.all) func eachKindOfChangeNotifiesOnce(way: Way) {
    let document = Report()
    document.draft = Draft()
    tracking.track { way.read(document) }
    way.change(document)
    #expect(tracking.count == 1)
    way.change(document)
    #expect(tracking.count == 1)
    tracking.track { way.read(document) }
    way.change(document)
    #expect(tracking.count == 2)
  }

  @Test(arguments: Way.all) func eachKindOfChangeNotifiesBeforeKeyValueObservers(way: Way) {
    let document = Report()
    document.draft = Draft()
    let log = Locked<[String]>([])
    let recorder = Recorder("observer")
    recorder.report(to: log)
    for key in ["title", "pages", "words", "labels", "revision", "note", "progress", "author"] {
      recorder.observe(document, key)
    }
    tracking.track {
      way.read(document)
    } whenChanged: {
      log.append("tracking")
    }
    way.change(document)
    #expect(log.take().first == "tracking")
    for key in ["title", "pages", "words", "labels", "revision", "note", "progress", "author"] {
      recorder.unobserve(document, key)
    }
  }

  // MARK: Properties that are stored elsewhere

  private final class Preferences: KeyValueObject, Observable, @unchecked Sendable {
    private let stored = Locked<[String: Double]>([:])

    override class var keyPaths: [String: AnyKeyPath] { ["size": \Preferences.size] }

    var size: Double {
      get { self[key: "size"] }
      set { self[key: "size"] = newValue }
    }

    /// Isn't listed.
    var width: Double {
      get { self[key: "width"] }
      set { self[key: "width"] = newValue }
    }

    private subscript(key key: String) -> Double {
      get {
        didAccessValue(forKey: key)
        return stored.current[key] ?? 0
      }
      set {
        willChangeValue(forKey: key)
        stored.withLock { $0[key] = newValue }
        didChangeValue(forKey: key)
      }
    }

    var typedSize: Double {
      get {
        didAccessValue(for: \.size)
        return stored.current["size"] ?? 0
      }
    }
  }

  @Test func aPropertyThatReportsItsReadsIsTracked() {
    let preferences = Preferences()
    for (number, keyPath) in [\Preferences.size, \.typedSize, \.width].enumerated() {
      tracking.track { preferences[keyPath: keyPath] }
      if keyPath == \.width { preferences.width = 3 } else { preferences.size = Double(number) }
      #expect(tracking.count == number + 1)
      #expect(preferences[keyPath: keyPath] == (keyPath == \.width ? 3 : Double(number)))
    }
  }

  @Test func aPropertyThatReportsItsReadsIsFollowedByReading() {
    let (preferences, recorder) = (Preferences(), Recorder())
    let sizes = Locked<[Double]>([])
    recorder.kvoController.observe(preferences, \.typedSize, isolation: nil) { (_: Recorder, _, change) in
      if let size = change.newValue { sizes.append(size) }
    }
    preferences.size = 1
    preferences.size = 2
    #expect(sizes.current == [1, 2])
  }

  @Test func endingAnObservationOfAPathReadsNothing() {
    let (report, observer) = (Report(), Recorder())
    report.next = Report()
    observer.kvoController.observe(report, keyPath: "next.title", options: [], isolation: nil) { _, _, _ in }
    observer.kvoController.observe(report, \.next?.title, isolation: nil) { (_: Recorder, _, _) in }
    tracking.track {
      observer.kvoController.unobserve(report, keyPath: "next.title")
      observer.kvoController.unobserve(report, \.next?.title)
    }
    report.next = nil
    #expect(tracking.count == 0)
  }

  @Test(arguments: Way.all) func noKindOfChangeNotifiesOfAnotherProperty(way: Way) {
    let document = Report()
    document.draft = Draft()
    tracking.track { document.next }
    way.change(document)
    #expect(tracking.count == 0)
    document.next = nil
    #expect(tracking.count == 1)
  }

  @Test func anotherObjectsChangeDoesNotNotify() {
    let other = Document()
    tracking.track { document.title }
    other.title = "a"
    #expect(tracking.count == 0)
  }

  @Test func aReadBehindAnObjectTracksBoth() {
    let child = Document()
    tracking.track { document.next?.title }
    document.next = child
    #expect(tracking.count == 1)
    tracking.track { document.next?.title }
    child.title = "a"
    #expect(tracking.count == 2)
    tracking.track { document.next?.title }
    document.next = Document()
    #expect(tracking.count == 3)
    tracking.track { document.next?.title }
    child.title = "b"
    #expect(tracking.count == 3)
  }

  @Test func aSubclassMayConformWhereItsSuperclassDoesNot() {
    let draft = TrackedDraft()
    tracking.track { (draft.progress, draft.comment) }
    draft.progress = 1
    #expect(tracking.count == 1)
    tracking.track { draft.comment }
    draft.comment = "a"
    #expect(tracking.count == 2)
  }

  @Test func aClassThatDoesNotConformIsNotTracked() {
    let draft = Draft()
    tracking.track { draft.progress }
    draft.progress = 1
    #expect(tracking.count == 0)
    #expect(draft.registrationCount == 0)
  }

  @Test func propertiesOfGenericModelsAreTracked() {
    let (numbers, words) = (Holder(1), Holder("a"))
    let other = Tracking()
    tracking.keepTracking { _ = numbers.value }
    other.keepTracking { _ = words.value }
    for number in 1...300 { numbers.value = number }
    #expect(tracking.count == 300)
    #expect(other.count == 0)
    words.value = "b"
    #expect(other.count == 1)
  }

  @Test func everyPropertyOfAModelWithManyIsTracked() {
    let model = Panel()
    let last = Tracking()
    tracking.track { (model.control0, model.control63) }
    last.track { model.control65 }
    model.control64 = 1
    #expect(tracking.count == 0)
    #expect(last.count == 0)
    model.control65 = 1
    #expect(last.count == 1)
    model.control63 = 1
    #expect(tracking.count == 1)
  }

  @Test(arguments: [0, 1, 63, 64, 65, 66, 200]) func aReadIsTrackedHoweverManyUntrackedOnesCameBefore(count: Int) {
    let other = Tracking()
    for isAnotherWaiting in [false, true] {
      let document = Document()
      if isAnotherWaiting { other.track { document.words } }
      for round in 1...3 {
        let tracking = Tracking()
        tracking.track { document.title }
        for _ in 0..<count { _ = (document.title, document.pages) }
        let later = Tracking()
        later.track { document.pages }
        document.pages = round
        #expect(later.count == 1)
        #expect(tracking.count == 0)
        document.title = "\(round)"
        #expect(tracking.count == 1)
        for _ in 0..<count { _ = (document.title, document.pages) }
        document.title = ""
        document.pages = 0
        #expect(tracking.count == 1)
        #expect(later.count == 1)
      }
    }
    #expect(other.count == 0)
  }

  // MARK: Values and order

  @Test func theChangeNotifiesBeforeTheValueChanges() {
    let document = document
    let log = Locked<[String]>([])
    for way in ["setter", "in place", "coding"] {
      document.pages = 0
      tracking.track {
        document.pages
      } whenChanged: {
        log.append("\(document.pages)")
      }
      switch way {
      case "setter": document.pages = 1
      case "in place": document.pages += 1
      default: document.setValue(1, forKey: "pages")
      }
    }
    #expect(log.take() == ["0", "0", "0"])
  }

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, *)
  @Test func observationsGiveTheValuesAfterTheirChanges() async {
    let document = document
    let values = Observations { document.pages }
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      if value == 3 { break }
      document.pages = value + 1
    }
    #expect(seen == [0, 1, 2, 3])
  }

  @Test func trackingIsNoKeyValueObservation() {
    tracking.track { (document.title, document.words) }
    #expect(document.registrationCount == 0)
    document.title = "a"
    #expect(tracking.count == 1)
  }

  @Test func keyValueObserversAreNotifiedAsWithoutTracking() {
    let recorder = Recorder()
    recorder.observe(document, "pages", [.old, .new, .prior])
    tracking.track { document.pages }
    document.pages = 1
    document.pages += 1
    #expect(
      recorder.take() == [
        Change(.setting, old: 0, isPrior: true), Change(.setting, new: 1, old: 0),
        Change(.setting, old: 1, isPrior: true), Change(.setting, new: 2, old: 1),
      ])
    recorder.unobserve(document, "pages")
    tracking.track { document.pages }
    document.pages = 3
    #expect(recorder.calls.isEmpty)
    #expect(tracking.count == 2)
  }

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, *)
  @Test @MainActor func observationsOfSeveralPropertiesGiveThemTogether() async {
    let document = document
    let values = Observations { [document.pages, document.words.count] }
    var seen: [[Int]] = []
    for await value in values {
      seen.append(value)
      if value[0] == 2 { break }
      document.words.append("a")
      document.pages += 1
    }
    #expect(seen == [[0, 0], [1, 1], [2, 2]])
  }

  @Test func aKeyValueObserverMayTrackTheObjectThatNotifiesIt() {
    let document = document
    let later = Tracking()
    let observation = document.observe(\.pages, options: [.old, .new, .prior]) { [tracking] document, change in
      if change.isPrior { _ = tracking.track { document.title } } else { _ = later.track { document.pages } }
    }
    document.pages = 1
    document.title = "a"
    #expect(tracking.count == 1)
    #expect(later.count == 0)
    document.pages = 2
    #expect(later.count == 1)
    observation.invalidate()
  }

  @Test func anOuterTrackingNotifiesOfWhatAnInnerOneRead() {
    let inner = Tracking()
    tracking.track { inner.track { document.title } }
    document.title = "a"
    #expect(inner.count == 1)
    #expect(tracking.count == 1)
  }

  // MARK: Rearming

  @Test func readingAgainAsTheChangeBeginsTracksTheNextOne() {
    let document = document
    tracking.keepTracking { _ = (document.title, document.pages) }
    for number in 1...5 { document.pages = number }
    document.title = "a"
    #expect(tracking.count == 6)
  }

  @Test func aChangeAsTheChangeBeginsNotifiesOfItself() {
    let document = document
    let other = Tracking()
    other.track { document.words }
    tracking.track {
      document.title
    } whenChanged: {
      document.words.append("a")
    }
    document.title = "a"
    #expect(tracking.count == 1)
    #expect(other.count == 1)
    #expect(document.words == ["a"])
  }

  @Test func theSamePropertyMayBeChangedAsItsChangeBegins() {
    let tracking = tracking
    let document = document
    // The inner change calls this closure again, as it does for @Observable.
    tracking.track {
      document.pages
    } whenChanged: {
      if tracking.count == 1 { document.pages = 5 }
    }
    document.pages = 1
    #expect(document.pages == 1)
    #expect(tracking.count == 2)
    document.pages = 2
    #expect(tracking.count == 2)
  }

  @Test func observersMayBeginAndEndAsTheChangeBegins() {
    let document = document
    let (first, second) = (Recorder(), Recorder())
    first.observe(document, "pages")
    tracking.track {
      document.pages
    } whenChanged: {
      first.unobserve(document, "pages")
      second.observe(document, "title")
    }
    document.pages = 1
    #expect(first.calls.isEmpty)
    document.title = "a"
    #expect(second.calls.count == 1)
    second.unobserve(document, "title")
  }

  // MARK: Lifetimes

  @Test func trackedModelIsDeallocatedAsUsual() {
    var document: Document? = Document()
    weak let life = document
    document?.draft = Draft()
    tracking.track { (document?.title, document?.subtitle, document?.value(forKey: "progress")) }
    document = nil
    #expect(life == nil)
    #expect(tracking.count == 0)
  }

  @Test func modelCanBeReleasedAsItsChangeBegins() {
    let held = Locked<Document?>(Document())
    weak let life = held.current
    tracking.track {
      held.withLock { _ = $0?.title }
    } whenChanged: {
      _ = held.take()
    }
    let change = { (document: Document) in document.title = "a" }
    if let document = held.current { change(document) }
    #expect(tracking.count == 1)
    #expect(life == nil)
  }

  @Test func aModelMayBeReadAndChangedInItsDeinit() {
    var document: Document? = Document()
    let inner = Tracking()
    document?.whenReleased = { document in
      inner.track { document.title }
      document.title = "b"
      document.pages += 1
      document.setValue("c", forKey: "title")
    }
    tracking.track { document?.title }
    document = nil
    #expect(inner.count == 1)
    #expect(tracking.count == 1)
  }

  @Test func objectsRetainedByATrackingAreReleasedWithTheModel() {
    final class Screen: Sendable {}
    var document: Document? = Document()
    var screen: Screen? = Screen()
    weak let life = screen
    withObservationTracking {
      _ = (document?.title, document?.subtitle, document?.value(forKey: "summary"))
    } onChange: { [screen] in
      _ = screen
    }
    screen = nil
    #expect(life != nil)
    document = nil
    #expect(life == nil)
  }

  @Test func objectThatAKeyDependsOnCanBeReleasedFirst() {
    document.draft = Draft()
    tracking.track { document.value(forKey: "progress") }
    document.draft = nil
    #expect(tracking.count == 1)
    tracking.track { document.value(forKey: "progress") }
    document.draft = Draft()
    #expect(tracking.count == 2)
  }

  @Test func aTrackedModelsValuesAreReleasedByItsChanges() {
    weak let life = { () -> Document? in
      let next = Document()
      document.next = next
      return next
    }()
    tracking.track { document.next }
    document.next = nil
    #expect(life == nil)
  }

  // MARK: Threads

  @Test func aChangeOnAnotherThreadNotifiesThere() {
    let document = document
    let isNotified = tracking.isNotified({ _ = document.title }, onTheThreadOf: { document.title = "a" })
    #expect(isNotified)
  }

  @Test func anotherThreadMayReadAndChangeAsTheChangeBegins() {
    let document = document
    let other = Tracking()
    tracking.track {
      document.title
    } whenChanged: {
      onThreads(1) { _ in
        other.track { (document.title, document.pages) }
        document.pages = 1
        document.mutableArrayValue(forKey: "words").add("a")
      }
    }
    document.title = "a"
    #expect(other.count == 1)
  }

  @Test func whatTheEngineReadsIsNoAccess() {
    final class Sheet: KeyValueObject, Observable, @unchecked Sendable {
      @Observed var number = 0
      @Observed var factor = 1
      @Observed var other = 0
      var product: Int { number * factor }
      var listed: Int { number + other }
      override class var keyPaths: [String: AnyKeyPath] { ["listed": \Sheet.listed] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "listed" ? ["number"] : []
      }
    }
    let (sheet, observer) = (Sheet(), Sheet())
    var calls = 0
    observer.observe(sheet, \.product) { _, _, _ in calls += 1 }
    observer.observe(sheet, \.listed) { _, _, _ in calls += 1 }
    tracking.track {
      sheet.number = 1
      observer.observe(sheet, \.product, options: [.initial, .new], identifier: 1) { _, _, _ in calls += 1 }
      observer.observe(sheet, \.listed, options: [.initial, .new], identifier: 1) { _, _, _ in calls += 1 }
    }
    #expect(calls == 4)
    sheet.factor = 2
    sheet.other = 3
    sheet.number = 2
    #expect(tracking.count == 0)
    tracking.track { _ = sheet.product }
    sheet.factor = 3
    #expect(tracking.count == 1)
    observer.unobserve(sheet)
  }

  @Test func whatAHandlerReadsIsAnAccessOfTheClosureThatCalledIt() {
    let (other, observer) = (Document(), Document())
    observer.observe(document, \.title) { _, _, _ in _ = (other.title, other.value(forKey: "pages")) }
    observer.observe(document, \.subtitle) { _, _, _ in other.words.append("b") }
    let causes: [() -> Void] = [{ other.title = "a" }, { other.pages += 1 }]
    for (calls, cause) in zip(1..., causes) {
      tracking.track { document.title = "b" }
      cause()
      #expect(tracking.count == calls)
    }
    tracking.track { observer.observe(document, \.pages, options: .initial) { _, _, _ in _ = other.summary } }
    other.title = "b"
    #expect(tracking.count == 3)
    tracking.track { document.subtitle = "a" }
    other.pages = 7
    #expect(tracking.count == 3)
    other.words = []
    #expect(tracking.count == 4)
    observer.unobserve(document)
  }

  @Test func whatAnObserverOfAnObservedCacheReadsIsAnAccessOfTheClosureThatFillsIt() {
    final class Cached: KeyValueObject, Observable, @unchecked Sendable {
      @Observed var cache: Int?
      var value: Int {
        if cache == nil { cache = 1 }
        return cache ?? 0
      }
    }
    let (cached, other, observer) = (Cached(), Document(), Document())
    observer.observe(cached, \.cache) { _, _, _ in _ = other.title }
    tracking.track { _ = cached.value }
    other.title = "a"
    #expect(tracking.count == 1)
    observer.unobserve(cached)
  }

  @Test func whatABindingReadsIsNoAccess() {
    final class Plain: KeyValueObject { @Observed var pages = 0 }
    let (plain, other) = (Plain(), Plain())
    document.bind(plain, \.pages, to: \.pages)
    let both = Document()
    both.bindBothWays(other, \.pages, with: \.pages)
    tracking.track {
      plain.pages = 2
      other.pages = 3
    }
    #expect(document.pages == 2 && both.pages == 3)
    document.pages = 7
    both.pages = 7
    #expect(tracking.count == 0)
    document.unobserve(plain)
    both.unobserve(other)
  }

  @Test func aHandlerMayTrackInATrackedClosure() {
    let (other, observer, inner) = (Document(), Document(), Tracking())
    observer.observe(document, \.title) { _, _, _ in
      inner.track { _ = (other.title, other.title, other.summary) }
      _ = other.pages
    }
    tracking.track { document.title = "a" }
    other.pages = 1
    #expect(inner.count == 1 && tracking.count == 1)
    document.title = "b"
    other.title = "a"
    #expect(inner.count == 2)
    observer.unobserve(document)
  }

  @Test func readersOnManyThreadsLoseNoChangeForGood() {
    // Keeps the object observed, so that the engine guards reads against writes.
    let recorder = Deaf()
    recorder.observe(document, "pages", [])
    let document = document
    let (haveEnded, _) = Tracking.readOnThreads {
      _ = document.pages
    } whileChanging: {
      document.pages += 1
    }
    #expect(haveEnded)
    recorder.unobserve(document, "pages")
  }

  @Test func objectsMayBeMadeTrackedAndReleasedOnManyThreads() {
    let count = Locked(0)
    onThreads(4) { number in
      for round in 0..<(isSanitized ? 100 : 1000) {
        let (document, draft) = (Document(), Draft())
        document.draft = draft
        withObservationTracking {
          _ = (document.title, document.subtitle, document.value(forKey: "progress"), draft.progress)
        } onChange: {
          count.withLock { $0 += 1 }
        }
        if round % 2 == number % 2 { document.title = "a" } else { draft.progress = 1 }
      }
    }
    #expect(count.withLock { $0 } == 4 * (isSanitized ? 100 : 1000))
  }
}
#endif
