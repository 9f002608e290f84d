import KVOController
import Testing
import _KVOTestSupport

/// Two properties that are bound to each other.
@Suite struct BothWaysTests {
  class Field: KeyValueObject, @unchecked Sendable {
    @Observed var text = "?" { didSet { assignments.withLock { $0 += 1 } } }
    @Observed var optional: String?
    @Observed var number = 0.0 { didSet { assignments.withLock { $0 += 1 } } }
    @Observed var size = 0
    @Observed var detail: Field?
    let assignments = Locked(0)
    @Observed var optionalText = ""
  }

  private let field = Field()
  private let song = Song("A")

  @Test func theSourcesValueComesFirstThenWhicheverChanges() {
    let token = field.bindBothWays(song, \.title, with: \.text)
    #expect(field.text == "A" && song.title == "A")
    song.title = "B"
    #expect(field.text == "B")
    field.text = "C"
    #expect(song.title == "C")
    #expect(token.isValid && token.object === song && token.keyPath == "title")
    #expect(field.kvoController.observations.count == 1)
  }

  @Test func descriptionsNameTheBoundProperty() {
    field.bindBothWays(song, \.title, with: \.text)
    #expect(field.kvoController.debugDescription.contains("title (initial, identifier: binding to \\Field.text)"))
  }

  @Test func thereIsNoPingPong() {
    field.bindBothWays(song, \.title, with: \.text)
    #expect(field.assignments.current == 1)
    var changes = 0
    song.kvoController.observe(song, \.title) { _, _ in changes += 1 }
    song.title = "B"
    song.title = "B"
    #expect(field.assignments.current == 2 && changes == 2)
    field.text = "C"
    field.text = "C"
    #expect(field.assignments.current == 4 && changes == 3)
    song.unobserve(song)
  }

  @Test func nilIsAValue() {
    field.optional = "x"
    let partner = Field()
    field.bindBothWays(partner, \.optional, with: \.optional)
    #expect(field.optional == nil)
    field.optional = "y"
    #expect(partner.optional == "y")
    partner.optional = nil
    #expect(field.optional == nil)
  }

  @Test func notANumberDoesNotLoop() {
    let partner = Field()
    partner.number = .nan
    field.bindBothWays(partner, \.number, with: \.number)
    #expect(field.number.isNaN && field.assignments.current == 1 && partner.assignments.current == 1)
    partner.number = 1
    #expect(field.number == 1)
    field.number = .nan
    #expect(partner.number.isNaN && field.assignments.current == 3)
    // Two that aren't equal to themselves are the same.
    field.number = .nan
    #expect(partner.number.isNaN && field.assignments.current == 4 && partner.assignments.current == 3)
    partner.number = 2
    #expect(field.number == 2)
  }

  class Clamping: KeyValueObject, @unchecked Sendable {
    let range: ClosedRange<Int>
    let assignments = Locked(0)
    @Observed var value = 0 {
      didSet {
        assignments.add()
        let clamped = min(max(value, range.lowerBound), range.upperBound)
        if clamped != value { value = clamped }
      }
    }
    init(_ range: ClosedRange<Int>) { self.range = range }
  }

  @Test func whatAPropertyMakesOfTheValueIsAssignedToTheOther() {
    let (left, right) = (Clamping(0...100), Clamping(0...10))
    right.bindBothWays(left, \.value, with: \.value)
    left.value = 50
    #expect(left.value == 10 && right.value == 10)
    right.value = -3
    #expect(left.value == 0 && right.value == 0)
  }

  @Test func propertiesThatCannotAgreeAreLeftAlone() {
    let (left, right) = (Clamping(5...100), Clamping(0...3))
    right.bindBothWays(left, \.value, with: \.value)
    left.value = 50
    #expect((5...100).contains(left.value) && (0...3).contains(right.value))
    #expect(left.assignments.current < 30)
    left.value = 60
    #expect((5...100).contains(left.value))
  }

  @Test func severalPropertiesOfOneSourceThatCannotAgreeAreLeftAlone() {
    let source = Clamping(0...100)
    let sides = [0...5, 10...100, 20...100, 30...100].map(Clamping.init)
    for side in sides { side.bindBothWays(source, \.value, with: \.value) }
    source.value = 50
    source.value = 3
    #expect(sides.allSatisfy { $0.range.contains($0.value) })
    #expect(source.assignments.current < 100)
    let more = (0..<4).map { _ in Clamping(0...5) }
    let high = Clamping(10...100)
    for side in more { side.bindBothWays(high, \.value, with: \.value) }
    for side in [high] + more { side.assignments.withLock { $0 = 0 } }
    high.value = 50
    #expect(([high] + more).reduce(0) { $0 + $1.assignments.current } <= 1_000)
  }

  @Test func handlersThatChangeEitherSide() {
    field.bindBothWays(song, \.title, with: \.text)
    field.observe(field, \.text) { field, _, change in if change.newValue == "B" { field.text = "C" } }
    song.title = "B"
    #expect(song.title == "C" && field.text == "C")
    field.observe(song, \.title) { _, song, change in if change.newValue == "D" { song.title = "E" } }
    field.text = "D"
    #expect(song.title == "E" && field.text == "E")
  }

  @Test func aHandlerThatIsCalledBeforeTheBindingChangesTheOtherSide() {
    song.plays = 1
    field.bindBothWays(song, \.plays, with: \.size)
    field.observe(field, \.size) { [song] _, _, _ in if song.plays < 5 { song.plays += 1 } }
    field.size = 1
    #expect(song.plays == 5 && field.size == 5)
    song.plays = 2
    #expect(song.plays == 5 && field.size == 5)
  }

  @MainActor @Test func theSameOnAnActor() {
    @MainActor final class Slider: KeyValueObject {
      @Observed var value = 0
      @Observed var other = 0
    }
    let (slider, partner) = (Slider(), Slider())
    partner.value = 1
    slider.bindBothWays(partner, \.value, with: \.value)
    slider.observe(slider, \.value) { _, _, _ in if partner.value < 5 { partner.value += 1 } }
    slider.value = 1
    #expect(partner.value == 5 && slider.value == 5)
    partner.value = 2
    #expect(partner.value == 5 && slider.value == 5)
  }

  @Test func pathsThatLeadNowhere() {
    field.bindBothWays(song, \.next!.title, with: \.text)
    #expect(field.text == "?")
    let next = Song("B")
    song.next = next
    #expect(next.title == "B" && field.text == "B")
    next.title = "C"
    #expect(field.text == "C")
    song.next = nil
    field.text = "D"
    #expect(next.title == "C")
    song.next = next
    #expect(field.text == "C")
  }

  @Test func whatWasEnteredBeforeIsNotThatOfTheObjectThatComes() {
    field.bindBothWays(song, \.next!.title, with: \.text)
    song.next = Song("B")
    field.text = "C"
    song.next = nil
    field.text = "D"
    song.next = Song("C")
    #expect(field.text == "C" && song.next?.title == "C")
  }

  @Test func aForcedStepToAnOptionalThatLeadsNowhereIsNotNil() {
    let other = Field()
    field.optional = "A"
    field.bindBothWays(other, \.detail!.optional, with: \.optional)
    #expect(field.optional == "A")
    let detail = Field()
    detail.optional = "B"
    other.detail = detail
    #expect(field.optional == "B")
    other.detail = nil
    #expect(field.optional == "B")
    field.optional = "C"
    #expect(detail.optional == "B")
    detail.optional = nil
    other.detail = detail
    #expect(field.optional == nil)
  }

  @Test func oneObjectWithTwoProperties() {
    weak var gone: Field?
    do {
      let field = Field()
      gone = field
      field.optional = "x"
      field.bindBothWays(field, \.detail!.text, with: \.text)
      let detail = Field()
      field.detail = detail
      #expect(field.text == detail.text)
      field.text = "y"
      #expect(detail.text == "y")
      detail.text = "z"
      #expect(field.text == "z")
    }
    #expect(gone == nil)
  }

  @Test func threeInAChain() {
    let (left, right) = (Field(), Field())
    field.bindBothWays(left, \.text, with: \.text)
    right.bindBothWays(field, \.text, with: \.text)
    left.text = "A"
    #expect(right.text == "A")
    right.text = "B"
    #expect(left.text == "B")
    // Each retains the next, so one has to let go.
    let last = left.bindBothWays(right, \.text, with: \.text)
    field.text = "C"
    #expect(left.text == "C" && right.text == "C")
    last.invalidate()
  }

  // MARK: Parts of one property

  struct Sound: Equatable {
    var volume = 0
    var balance = 0
  }

  class Mixer: KeyValueObject, @unchecked Sendable {
    @Observed var sound = Sound()
    @Observed var levels = ["left": 0, "right": 0]
    var loudness: Int {
      get { sound.volume * 2 }
      set { sound.volume = newValue / 2 }
    }
    var offset: Int {
      get { sound.balance + 1 }
      set { sound.balance = newValue - 1 }
    }
  }

  @Test func bindingsOfPartsOfOneProperty() {
    // The last two are computed over a part each.
    for parts in [[\Mixer.sound.volume, \.sound.balance], [\.loudness, \.offset]] {
      let (form, settings) = (Mixer(), Mixer())
      for part in parts { form.bindBothWays(settings, part, with: part) }
      settings.sound = Sound(volume: 1, balance: 2)
      #expect(form.sound == Sound(volume: 1, balance: 2) && settings.sound == form.sound, "\(parts)")
      form.sound = Sound(volume: 3, balance: 4)
      #expect(settings.sound == Sound(volume: 3, balance: 4) && settings.sound == form.sound, "\(parts)")
    }
  }

  @Test func bindingsOfEntriesOfOneDictionary() {
    let (form, settings) = (Mixer(), Mixer())
    form.bindBothWays(settings, \.levels["left"], with: \.levels["left"])
    form.bindBothWays(settings, \.levels["right"], with: \.levels["right"])
    settings.levels = ["left": 1, "right": 2]
    #expect(form.levels == ["left": 1, "right": 2] && settings.levels == form.levels)
    form.levels = ["left": 3]
    #expect(settings.levels == ["left": 3] && form.levels == ["left": 3])
  }

  // MARK: What a property makes of a value

  final class EvenOnly: KeyValueObject {
    @Observed private var stored = 0
    var assignments = 0
    var value: Int {
      get { stored }
      set {
        assignments += 1
        if newValue % 2 == 0 { stored = newValue }
      }
    }
  }

  @Test func aSetterThatRefuses() {
    let (even, plain) = (EvenOnly(), Clamping(0...100))
    even.bindBothWays(plain, \.value, with: \.value)
    plain.value = 4
    #expect(even.value == 4)
    // A target that refuses the value isn't changed, so nothing goes back.
    plain.value = 5
    #expect(plain.value == 5 && even.value == 4)
    even.value = 6
    #expect(plain.value == 6)
    let other = EvenOnly()
    plain.bindBothWays(other, \.value, with: \.value)
    #expect(plain.value == 0 && even.value == 0)
    plain.value = 7
    #expect(plain.value == 0 && even.value == 0 && other.value == 0)
  }

  @Test func aSourceThatTwoPropertiesClamp() {
    final class Least: KeyValueObject {
      @Observed private var stored = 0
      let most: Int
      var value: Int {
        get { stored }
        set { stored = min(newValue, most) }
      }
      init(_ most: Int) { self.most = most }
    }
    for mosts in [[5, 10], [10, 5], [20, 5, 10], [5, 20, 10], [10, 20, 5]] {
      let (source, sides) = (Least(100), mosts.map(Least.init))
      for side in sides { side.bindBothWays(source, \.value, with: \.value) }
      source.value = 50
      #expect(source.value == 5 && sides.allSatisfy { $0.value == 5 }, "\(mosts)")
      sides[0].value = 3
      #expect(source.value == 3 && sides.allSatisfy { $0.value == 3 }, "\(mosts)")
    }
  }

  @Test func anObserverThatChangesWhatASideGetsBack() {
    let (left, right) = (Clamping(0...100), Clamping(0...10))
    right.bindBothWays(left, \.value, with: \.value)
    right.observe(left, \.value) { _, left, _ in if left.value == 10 { left.value = 7 } }
    left.value = 50
    #expect(left.value == 7 && right.value == 7)
  }

  @Test func whatAPropertyMakesOfWhatItGetsBackStays() {
    final class Odd: KeyValueObject {
      @Observed private var stored = 1
      var value: Int {
        get { stored }
        set { stored = newValue | 1 }
      }
    }
    let (even, odd) = (EvenOnly(), Odd())
    odd.bindBothWays(even, \.value, with: \.value)
    #expect(even.value == 0 && odd.value == 1)
    even.value = 4
    #expect(even.value == 4 && odd.value == 5)
    // What each has made of the other's value isn't a change.
    odd.value = 9
    #expect(even.value == 4 && odd.value == 5)
  }

  @Test func valuesThatContainNotANumber() {
    let (left, right) = (Shape(), Shape())
    right.bindBothWays(left, \.origin, with: \.origin)
    left.origin = Point(x: .nan, y: 5)
    #expect(right.origin.y == 5)
    // Two that aren't equal to themselves are the same.
    left.origin = Point(x: .nan, y: 6)
    #expect(right.origin.y == 5)
    right.origin = Point(x: 1, y: 8)
    #expect(left.origin == Point(x: 1, y: 8))
  }

  struct Point: Equatable { var x = 0.0, y = 0.0 }
  final class Shape: KeyValueObject {
    @Observed var origin = Point()
    @Observed var length = 0.0 { didSet { if length.isNaN { length = 0 } } }
    @Observed var width = 0.0
  }

  @Test func partsThatAreNotANumberDisturbEachOtherInNothing() {
    let (left, right) = (Shape(), Shape())
    right.bindBothWays(left, \.origin.x, with: \.origin.x)
    right.bindBothWays(left, \.origin.y, with: \.origin.y)
    left.origin = Point(x: .nan, y: .nan)
    right.origin.x = 1
    #expect(left.origin.x == 1 && right.origin.x == 1 && right.origin.y.isNaN)
    left.origin = Point(x: .nan, y: 0)
    right.origin = Point(x: 5, y: 6)
    #expect(left.origin == Point(x: 5, y: 6) && right.origin == left.origin)
  }

  @Test func aSideThatRefusesNotANumber() {
    let (left, right) = (Shape(), Shape())
    right.bindBothWays(left, \.width, with: \.length)
    left.width = .nan
    #expect(left.width == 0 && right.length == 0)
    let (plain, picky) = (Shape(), Shape())
    plain.width = .nan
    plain.bindBothWays(picky, \.length, with: \.width)
    #expect(plain.width == 0)
    plain.width = .nan
    #expect(plain.width == 0 && picky.length == 0)
  }

  @Test func aWeakPropertysObjectIsNotRetained() {
    final class Node: KeyValueObject { @ObservedWeak var parent: Node? }
    let (left, right) = (Node(), Node())
    right.bindBothWays(left, \.parent, with: \.parent)
    weak var gone: Node?
    do {
      let parent = Node()
      gone = parent
      left.parent = parent
      #expect(right.parent === parent)
    }
    #expect(gone == nil && left.parent == nil && right.parent == nil)
    let next = Node()
    right.parent = next
    #expect(left.parent === next)
  }

  @Test func aPartOfAPropertyThatIsMutatedInPlaceIsNotRead() {
    let (left, right) = (Mixer(), Mixer())
    right.bindBothWays(left, \.sound.volume, with: \.sound.balance)
    right.bindBothWays(left, \.loudness, with: \.loudness)
    func mutate(_ sound: inout Sound) {
      sound.volume = 5
      right.sound.balance = 7
    }
    mutate(&left.sound)
    #expect(left.sound.volume == 5 && right.sound.balance == 5)
    #expect(right.loudness == left.loudness)
  }

  @Test func threeObserversThatChangeWhatIsAssigned() {
    let (model, form) = (Song(), Field())
    form.bindBothWays(model, \.plays, with: \.size)
    form.observe(form, \.size, identifier: 8) { [model] form, _, _ in if form.size == 8 { model.plays = 1 } }
    form.observe(form, \.size, identifier: 1) { form, _, _ in if form.size == 1 { form.size = 5 } }
    form.observe(model, \.plays) { _, model, _ in if model.plays == 5 { model.plays = 3 } }
    model.plays = 8
    #expect(model.plays == 3 && form.size == 3)
  }

  @Test func aHundredAnswersInARowAreEnough() {
    field.bindBothWays(song, \.plays, with: \.size)
    let token = field.observe(field, \.size) { [song] _, _, _ in if song.plays < 300 { song.plays += 1 } }
    song.plays = 1
    #expect((50..<300).contains(song.plays))
    token.invalidate()
    song.plays = 7
    #expect(field.size == 7)
    field.size = 8
    #expect(song.plays == 8)
  }

  @Test func aBindingThatBeginsInAPriorCallOfEitherSide() {
    var tokens: [KVOObservation] = []
    let other = Field()
    let observer = KVOController(observer: other)
    observer.observe(song, \.title, options: .prior) { [field] song, change in
      if change.isPrior, tokens.isEmpty { tokens.append(field.bindBothWays(song, \.title, with: \.text)) }
    }
    song.title = "B"
    #expect(field.text == "B")
    observer.observe(field, \.optionalText, options: .prior) { [song] field, change in
      if change.isPrior, tokens.count == 1 { tokens.append(field.bindBothWays(song, \.title, with: \.optionalText)) }
    }
    field.optionalText = "C"
    #expect(song.title == "C" && field.text == "C")
  }

  // MARK: Objects

  @Test func anObjectWithAnEqualIdentifierIsAnotherOne() {
    final class Account: KeyValueObject {
      override func isEqual(_ object: Any?) -> Bool { object is Account }
      override var hash: Int { 0 }
    }
    final class Session: KeyValueObject { @Observed var account: Account? }
    let (session, screen) = (Session(), Session())
    screen.bindBothWays(session, \.account, with: \.account)
    let (first, second) = (Account(), Account())
    session.account = first
    #expect(screen.account === first)
    session.account = second
    #expect(screen.account === second)
    screen.account = first
    #expect(session.account === first)
  }

  @Test func whatWasEnteredForNoDocumentIsNotTheNextOnes() {
    field.bindBothWays(song, \.next!.title, with: \.text)
    field.text = "typed"
    let next = Song("B")
    song.next = next
    #expect(next.title == "B" && field.text == "B")
    song.next = nil
    field.text = "typed again"
    song.next = next
    #expect(next.title == "B" && field.text == "B")
    let other = Song("C")
    song.next = other
    #expect(other.title == "C" && field.text == "C")
    // One with the same value is another one, too.
    let equal = Song("C")
    song.next = equal
    field.text = "D"
    #expect(equal.title == "D" && other.title == "C")
  }

  @Test func aPropertyThatIsMutatedInPlaceIsNotRead() {
    final class List: KeyValueObject { @Observed var items = [3, 1, 2] }
    let (left, right) = (List(), List())
    right.bindBothWays(left, \.items, with: \.items)
    left.items.sort {
      if right.items.count < 5 { right.items.append(0) }
      return $0 < $1
    }
    #expect(left.items == [1, 2, 3] && right.items == [1, 2, 3])
    right.items.removeAll { item in
      left.items.append(item)
      return false
    }
    #expect(left.items == right.items)
  }

  // MARK: Ends

  @Test func itAssignsToTheObjectOnWhichItWasCalled() {
    let other = Field()
    field.kvoController = KVOController(observer: other)
    field.bindBothWays(song, \.title, with: \.text)
    #expect(field.text == "A" && other.text == "?")
    field.text = "B"
    #expect(song.title == "B")
    song.title = "C"
    #expect(field.text == "C" && other.text == "?")
  }

  @Test func itIsTheOnlyBindingOfItsProperty() {
    let both = field.bindBothWays(song, \.title, with: \.text)
    #expect(field.bindBothWays(song, \.title, with: \.text).isValid && both.isValid)
    let other = Song("X")
    let single = field.bind(other, \.title, to: \.text)
    #expect(!both.isValid)
    field.text = "mine"
    #expect(song.title == "A" && song.registrationCount == 0)
    field.bindBothWays(song, \.title, with: \.text)
    #expect(!single.isValid && field.text == "A")
    other.title = "Y"
    #expect(song.title == "A")
  }

  @Test func everyEndEndsBothDirections() {
    let ends: [(Field, Song, KVOObservation) -> Void] = [
      { _, _, token in token.invalidate() }, { field, song, _ in field.unobserve(song) },
      { field, _, _ in field.kvoController.unobserveAll() },
    ]
    for end in ends {
      song.title = "A"
      let token = field.bindBothWays(song, \.title, with: \.text)
      end(field, song, token)
      #expect(!token.isValid && song.registrationCount == 0)
      field.text = "B"
      #expect(song.title == "A")
      song.title = "C"
      #expect(field.text == "B")
    }
  }

  @Test func itEndsWithEitherObject() {
    weak var (goneField, goneSong): (Field?, Song?) = (nil, nil)
    do {
      let (field, song) = (Field(), Song("B"))
      (goneField, goneSong) = (field, song)
      field.bindBothWays(song, \.title, with: \.text)
      field.bindBothWays(self.song, \.title, with: \.optionalText)
    }
    #expect(goneField == nil && goneSong == nil && song.registrationCount == 0)
    song.title = "C"
  }

  // MARK: Threads and actors

  /// A model whose owner guards it with a lock, also while it notifies.
  final class Guarded: KeyValueObject, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    @Observed private var stored = 0
    var value: Int {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
    override class var keyPaths: [String: AnyKeyPath] { ["value": \Guarded.value] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "value" ? ["stored"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  @Test func twoThreadsWithTheirOwnersLocks() {
    let (left, right) = (Guarded(), Guarded())
    right.bindBothWays(left, \.value, with: \.value, isolation: nil)
    for round in 0..<20 {
      onThreads(2) { thread in
        for number in 1...200 {
          if thread == 0 { left.value = round * 1_000 + number } else { right.value = -round * 1_000 - number }
        }
      }
      #expect(left.value == right.value)
    }
    left.value = 7
    #expect(right.value == 7)
    right.value = 8
    #expect(left.value == 8)
  }

  @MainActor final class Editor: KeyValueObject {
    @Observed var text = ""
    func edit(_ song: Song) -> KVOObservation { bindBothWays(song, \.title, with: \.text) }
  }

  @MainActor @Test func theLatestChangeComesLastOnAnActor() async {
    let editor = Editor()
    let song = song
    let token = editor.edit(song)
    #expect(editor.text == "A")
    #expect(finishes { song.title = "B" })
    // The other change waits, and is delivered on the way.
    editor.text = "C"
    #expect(song.title == "C" && editor.text == "C")
    for _ in 0..<10 { await Task.yield() }
    #expect(song.title == "C" && editor.text == "C")
    #expect(finishes { song.title = "D" })
    while editor.text != "D" { await Task.yield() }
    #expect(finishes { song.title = "E" })
    token.invalidate()
    for _ in 0..<10 { await Task.yield() }
    #expect(editor.text == "D")
  }

  @MainActor @Test func whatWaitsAndWhatIsSetOnTheActorDoNotChaseEachOther() async {
    let (source, target) = (Clamping(0...100), Clamping(0...100))
    target.bindBothWays(source, \.value, with: \.value)
    #expect(finishes { source.value = 7 })
    target.value = 5
    #expect(source.value == 5 && target.value == 5)
    for _ in 0..<10 { await Task.yield() }
    #expect(source.value == 5 && target.value == 5)
    #expect(source.assignments.current + target.assignments.current < 10)
  }

  @MainActor @Test func propertiesThatCannotAgreeOnAnActorAreLeftAlone() async {
    let (source, target) = (Clamping(0...10), Clamping(20...100))
    target.bindBothWays(source, \.value, with: \.value)
    #expect(finishes { source.value = 7 })
    target.value = 25
    for _ in 0..<10 { await Task.yield() }
    #expect((0...10).contains(source.value) && (20...100).contains(target.value))
    #expect(source.assignments.current + target.assignments.current < 1_000)
  }

  @MainActor @Test func manyChangesOfTheTargetThatWait() async {
    final class List: KeyValueObject, @unchecked Sendable { @Observed var items: [Int] = [] }
    let (source, target) = (List(), List())
    var lengths: [Int] = []
    target.bindBothWays(source, \.items, with: \.items)
    #expect(finishes { for number in 0..<300 { target.items.append(number) } })
    target.observe(target, \.items) { target, _, _ in lengths.append(target.items.count) }
    while source.items.count < 300 { await Task.yield() }
    for _ in 0..<10 { await Task.yield() }
    // None of those that were older came back.
    #expect(target.items == Array(0..<300) && source.items == target.items && lengths == [])
    target.unobserve(target)
  }

  @Test func entriesThatAreNil() {
    let (form, settings) = (Mixer(), Mixer())
    form.levels = [:]
    settings.levels = [:]
    for name in ["left", "right"] { form.bindBothWays(settings, \.levels[name], with: \.levels[name]) }
    form.levels = ["left": 1, "right": 2]
    #expect(settings.levels == ["left": 1, "right": 2] && form.levels == settings.levels)
  }

  @MainActor @Test func anOptionalSourceBehindAnotherObjectOnAnActor() async {
    let (partner, field) = (Field(), Field())
    field.optional = "A"
    field.bindBothWays(partner, \.detail!.optional, with: \.optional)
    #expect(field.optional == "A")
    let detail = Field()
    #expect(finishes { partner.detail = detail })
    while field.optional != nil { await Task.yield() }
    field.optional = "B"
    #expect(detail.optional == "B")
    partner.detail = nil
    field.optional = "C"
    #expect(field.optional == "C" && detail.optional == "B")
  }

  @MainActor @Test func aSourceThatRefusesOnAnActor() {
    let (even, plain) = (EvenOnly(), Clamping(0...100))
    plain.bindBothWays(even, \.value, with: \.value)
    plain.value = 7
    #expect(plain.value == 0 && even.value == 0)
    plain.value = 8
    #expect(even.value == 8)
  }

  @MainActor @Test func aSourceBehindAnotherObjectOnAnActor() async {
    let (partner, field) = (Field(), Field())
    partner.detail = Field()
    field.bindBothWays(partner, \.detail!.number, with: \.number)
    field.number = 4
    #expect(partner.detail?.number == 4)
    partner.detail = nil
    field.number = 5
    let detail = Field()
    detail.number = 6
    partner.detail = detail
    #expect(field.number == 6)
    #expect(finishes { detail.number = 7 })
    while field.number != 7 { await Task.yield() }
  }

  final class Table: KeyValueObject, @unchecked Sendable {
    @Observed var rows: [Int] = []
    @Observed var text = ""
    var csv: String {
      get { rows.map(String.init).joined(separator: ",") }
      set { rows = newValue.split(separator: ",").compactMap { Int($0) } }
    }
  }

  /// One thread appends to the array, and the actor reads none of it.
  @MainActor @Test func anActorReadsNothingThatAnotherThreadChanges() async {
    let (table, field, other) = (Table(), Table(), Table())
    field.bindBothWays(table, \.csv, with: \.text)
    other.bind(table, \.csv, to: \.text)
    let thread = Task.detached { for number in 0..<300 { table.rows.append(number) } }
    for _ in 0..<300 { await Task.yield() }
    await thread.value
    let last = table.csv
    while field.text != last || other.text != last { await Task.yield() }
    field.text = "1,2"
    #expect(table.rows == [1, 2])
  }

  @MainActor @Test func changesOfBothElsewhere() async {
    let (field, song) = (field, song)
    field.bindBothWays(song, \.title, with: \.text)
    #expect(
      finishes {
        song.title = "B"
        field.text = "C"
      })
    while song.title != field.text { await Task.yield() }
    #expect(["B", "C"].contains(song.title))
    #expect(
      finishes {
        field.text = "D"
        song.title = "E"
      })
    while song.title != field.text { await Task.yield() }
    #expect(["D", "E"].contains(song.title))
  }
}
