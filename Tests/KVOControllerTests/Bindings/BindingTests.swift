import KVOController
import Testing
import _KVOTestSupport

/// A property of an observer that is bound has one source.
@Suite struct BindingTests {
  class Label: KeyValueObject, @unchecked Sendable {
    let assignments = Locked<[String]>([])
    var text = "?" { didSet { assignments.append(text) } }
    var optional: String? = "?" { didSet { assignments.append(optional ?? "nil") } }
    var number = 0.0
    /// Not `Equatable`.
    var pair = (0, 0) { didSet { assignments.append("\(pair)") } }
    var lines: [Int: String] = [:]
    subscript(line: Int) -> String {
      get { lines[line] ?? "" }
      set { lines[line] = newValue }
    }

    func take() -> [String] { assignments.take() }
  }

  final class Heading: Label, @unchecked Sendable {}

  private let label = Label()
  private let song = Song("A")
  private let other = Song("X")

  @Test func bindingAgainEndsTheFormerBinding() {
    let first = label.bind(song, \.title, to: \.text)
    let second = label.bind(other, \.title, to: \.text)
    #expect(!first.isValid && second.isValid && first.object == nil)
    #expect(song.registrationCount == 0)
    song.title = "B"
    #expect(label.take() == ["A", "X"])
    other.title = "Y"
    #expect(label.take() == ["Y"])
    label.bind(song, \.headline, to: \.text)
    #expect(!second.isValid)
    other.title = "Z"
    #expect(label.take() == ["B"])
    #expect(label.kvoController.observations.count == 1)
  }

  @Test func bindingToTheSameAgainHasNoEffect() {
    let first = label.bind(song, \.title, to: \.text)
    label.text = "mine"
    let second = label.bind(song, \.title, to: \.text)
    #expect(first.isValid && label.text == "mine")
    second.invalidate()
    #expect(!first.isValid)
    label.bind(song, \.title, to: \.text)
    #expect(label.text == "A")
  }

  @Test func aPropertyIsTheSameFromASubclass() {
    let heading = Heading()
    func bind(_ label: Label, _ song: Song) -> KVOObservation { label.bind(song, \.title, to: \.text) }
    let first = bind(heading, song)
    let second = heading.bind(other, \.title, to: \.text)
    #expect(!first.isValid && second.isValid)
    #expect(bind(heading, other).isValid && second.isValid)
    #expect(heading.kvoController.observations.count == 1)
  }

  @Test func otherPropertiesAndObserversAreIndependent() {
    let heading = Heading()
    label.bind(song, \.title, to: \.text)
    label.bind(song, \.title, to: \.optional)
    label.bind(song, \.title, to: \.[1])
    label.bind(other, \.title, to: \.[2])
    heading.bind(song, \.title, to: \.text)
    label.bind(other, \.title, to: \.text)
    song.title = "B"
    #expect(label.text == "X" && label.optional == "B" && heading.text == "B" && label.lines == [1: "B", 2: "X"])
  }

  @Test func equalValuesAreNotAssignedAgain() {
    label.text = "A"
    _ = label.take()
    label.bind(song, \.title, to: \.text)
    label.bind(song, \.title, to: \.optional)
    song.title = "A"
    song.title = "B"
    #expect(label.take() == ["A", "B", "B"])
    label.text = "mine"
    _ = label.take()
    song.title = "B"
    #expect(label.take() == ["B"])
  }

  @Test func valuesThatCannotBeComparedAreAlwaysAssigned() {
    label.bind(song, \.plays, to: \.pair) { ($0, $0) }
    song.plays = 0
    #expect(label.take() == ["(0, 0)", "(0, 0)"])
  }

  @Test func nilAndWhatCannotBeReached() {
    song.next = other
    label.bind(song, \.next!.title, to: \.text)
    label.bind(song, \.next?.title, to: \.optional)
    song.next = nil
    song.next = nil
    #expect(label.take() == ["X", "X", "nil"])
    song.next = other
    #expect(label.take() == ["X"])
  }

  // MARK: Transforming

  @Test func aValueIsTransformed() {
    let token = label.bind(song, \.plays, to: \.text) { "\($0) plays" }
    song.plays = 2
    song.plays = 2
    label.bind(song, \.rating, to: \.optional, transform: { $0.map(String.init) })
    song.rating = 1
    song.rating = nil
    #expect(label.take() == ["0 plays", "2 plays", "nil", "1", "nil"])
    token.invalidate()
    song.plays = 3
    #expect(label.take() == [])
  }

  @Test func anotherTransformationEndsTheFormer() {
    let first = label.bind(song, \.title, to: \.text) { "1 \($0)" }
    let second = label.bind(song, \.title, to: \.text) { "2 \($0)" }
    #expect(!first.isValid)
    label.bind(song, \.title, to: \.text)
    #expect(!second.isValid)
    song.title = "B"
    #expect(label.take() == ["1 A", "2 A", "A", "B"])
    label.bind(song, \.next!.plays, to: \.text) { "\($0)" }
    #expect(label.take() == [])
  }

  @Test func aClosureThatBindsThePropertyAgainAssignsNothing() {
    label.bind(song, \.plays, to: \.text) { [unowned label, other] plays in
      if plays == 7 { label.bind(other, \.title, to: \.text) }
      return "\(plays)"
    }
    song.plays = 7
    #expect(label.take() == ["0", "X"])
    other.title = "Y"
    song.plays = 8
    #expect(label.take() == ["Y"])
  }

  @Test func aClosureThatEndsItsBindingAssignsNothing() {
    var token: KVOObservation?
    token = label.bind(song, \.plays, to: \.text) { plays in
      if plays == 7 { token?.invalidate() }
      return "\(plays)"
    }
    song.plays = 7
    #expect(label.take() == ["0"])
  }

  @Test func notANumberEndsInACycle() {
    final class Gauge: KeyValueObject {
      @Observed var value = 0.0 { didSet { assignments += 1 } }
      var assignments = 0
    }
    let (left, right) = (Gauge(), Gauge())
    left.bind(right, \.value, to: \.value)
    right.bind(left, \.value, to: \.value)
    left.value = .nan
    #expect(right.value.isNaN && left.assignments == 1 && right.assignments == 1)
    left.value = 1
    #expect(right.value == 1)
    left.unobserve(right)
  }

  // MARK: Comparing

  final class Account: KeyValueObject, @unchecked Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    override func isEqual(_ object: Any?) -> Bool { (object as? Account)?.number == number }
    override var hash: Int { number }
  }

  class Session: KeyValueObject {
    @Observed var account = Account(0) { didSet { assignments += 1 } }
    @Observed var optional: Account?
    @Observed var list: [Account] = []
    @Observed var set: Set<Account> = []
    @Observed var table: [String: Account?] = [:]
    @Observed var nested: [[Account]] = []
    @Observed var any: Any = 0 { didSet { assignments += 1 } }
    @Observed var string: NSString = "" { didSet { assignments += 1 } }
    @Observed var number: NSNumber? { didSet { assignments += 1 } }
    var assignments = 0
  }

  @Test func anEqualObjectIsAnotherOne() throws {
    let (session, screen) = (Session(), Session())
    screen.bind(session, \.account, to: \.account)
    screen.bind(session, \.optional, to: \.optional)
    screen.bind(session, \.list, to: \.list)
    screen.bind(session, \.set, to: \.set)
    screen.bind(session, \.table, to: \.table)
    screen.bind(session, \.nested, to: \.nested)
    screen.bind(session, \.any, to: \.any)
    for _ in 0..<3 {
      let account = Account(1)
      session.account = account
      session.optional = account
      session.list = [account]
      session.set = [account]
      session.table = ["a": account]
      session.nested = [[account]]
      session.any = [account] as Any
      #expect(screen.account === account && screen.optional === account && screen.list[0] === account)
      #expect(screen.set.first === account && screen.table["a"]! === account && screen.nested[0][0] === account)
      #expect((screen.any as? [Account])?.first === account)
    }
    let count = screen.assignments
    session.account = session.account
    session.any = session.any
    #expect(screen.assignments == count)
  }

  @Test func immutableValuesOfFoundationAreValues() {
    let (session, screen) = (Session(), Session())
    session.string = NSString(string: "a longer text that isn't tagged")
    session.number = 7.5
    session.any = NSDate(timeIntervalSince1970: 0)
    screen.bind(session, \.string, to: \.string)
    screen.bind(session, \.number, to: \.number)
    screen.bind(session, \.any, to: \.any)
    #expect(screen.assignments == 3)
    session.string = NSString(string: "a longer text that isn't tagged")
    session.number = NSNumber(value: 7.5)
    session.any = NSDate(timeIntervalSince1970: 0)
    #expect(screen.assignments == 3)
    session.any = NSMutableString(string: "A")
    session.any = NSMutableString(string: "A")
    #expect(screen.assignments == 5)
  }

  @Test func changesValueToldApartByIdentity() {
    let session = Session()
    var changes: [Bool] = []
    session.observe(session, \.account) { _, _, change in changes.append(change.changesValue) }
    session.observe(session, \.list) { _, _, change in changes.append(change.changesValue) }
    session.observe(session, \.string) { _, _, change in changes.append(change.changesValue) }
    session.account = Account(0)
    session.account = session.account
    session.list = [Account(0)]
    session.list = [Account(0)]
    session.list = session.list
    session.string = NSString(string: "A")
    session.string = NSString(string: "A")
    #expect(changes == [true, false, true, true, false, true, false])
  }

  @Test func valuesThatContainNotANumber() {
    struct Point: Equatable { var x = 0.0, y = 0.0 }
    final class Shape: KeyValueObject {
      @Observed var origin = Point()
      @Observed var list: [Double] = []
    }
    let (left, right) = (Shape(), Shape())
    right.bind(left, \.origin, to: \.origin)
    right.bind(left, \.list, to: \.list)
    left.origin = Point(x: .nan, y: 5)
    left.origin = Point(x: .nan, y: 6)
    left.list = [.nan, 1]
    left.list = [.nan, 2]
    // Two points that aren't equal to themselves are the same; an array is equal to itself.
    #expect(right.origin.y == 5 && right.list[1] == 2)
  }

  /// The fraction of the time of 10,000 elements' comparison by `==` that it takes to see that a bound value is the same.
  private func duration<Value>(_ value: Value, _ other: Value) -> Double {
    let words = (0..<10_000).map { "a word that isn't small, number \($0)" }
    let others = (0..<10_000).map { "a word that isn't small, number \($0)" }
    let (source, target) = (Box(value), Box(value))
    target.bind(source, \.value, to: \.value)
    let clock = ContinuousClock()
    let least = (0..<5).map { _ in clock.measure { source.value = other } }.min() ?? .zero
    let plain = (0..<5).map { _ in clock.measure { _ = words == others } }.min() ?? .zero
    return least / plain
  }

  @Test func largeCollectionsAreComparedWithoutALookUpForEachElement() {
    let songs = (0..<10_000).map { _ in Song() }
    func copy<Value>(_ values: [Value]) -> [Value] { values.map { $0 } }
    let (present, lists) = (songs.map(Optional.some), (0..<10_000).map { [$0] })
    let (numbers, values) = ((0..<10_000).map(Optional.some), (0..<10_000).map { $0 as Any })
    let table = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("\($0)", $0 as Any) })
    #expect(duration(songs, songs) < 1 && duration(table, table) < 1)
    #expect(duration(songs, copy(songs)) < 1 && duration(present, copy(present)) < 1)
    #expect(duration(songs, songs.dropLast() + [Song()]) < 20)
    #expect(duration(numbers, copy(numbers)) < 20 && duration(lists, lists.map { $0.map { $0 } }) < 20)
    #expect(duration(values, copy(values)) < 500)
  }

  struct MainActorValue {
    var number = 0
  }

  final class MainActorValues: KeyValueObject, @unchecked Sendable {
    @Observed var value = MainActorValue() { didSet { assignments.add() } }
    let assignments = Locked(0)
  }

  @MainActor @Test func aComparisonOfAnActorIsOnlyMadeThere() {
    let (left, right) = (MainActorValues(), MainActorValues())
    func bind(_ left: MainActorValues, _ right: MainActorValues) {
      right.bind(left, \.value, to: \.value, isolation: nil)
    }
    bind(left, right)
    right.assignments.withLock { $0 = 0 }
    #expect(finishes { left.value = left.value })
    // What can't be compared is assigned.
    #expect(right.assignments.current == 1)
    left.value = left.value
    #expect(right.assignments.current == 1)
  }

  // MARK: Opposite directions

  @Test func oppositeBindingsOfWhatCannotBeCompared() {
    final class Box: KeyValueObject {
      @Observed var object: NSObject? { didSet { assignments += 1 } }
      @Observed var closure: () -> Int = { 0 } { didSet { assignments += 1 } }
      @Observed var any: Any = 0 { didSet { assignments += 1 } }
      var assignments = 0
    }
    let (left, right) = (Box(), Box())
    right.bind(left, \.object, to: \.object)
    left.bind(right, \.object, to: \.object)
    right.bind(left, \.closure, to: \.closure)
    left.bind(right, \.closure, to: \.closure)
    right.bind(left, \.any, to: \.any)
    left.bind(right, \.any, to: \.any)
    let object = NSObject()
    left.object = object
    left.closure = { 7 }
    left.any = { 8 }
    #expect(right.object === object && right.closure() == 7 && (right.any as? () -> Int)?() == 8)
    right.closure = { 9 }
    right.any = "text"
    #expect(left.closure() == 9 && left.any as? String == "text")
    #expect(left.assignments + right.assignments < 40)
    left.unobserve(right)
  }

  final class Clamping: KeyValueObject {
    @Observed var value: Int {
      didSet {
        assignments += 1
        if !range.contains(value) { value = min(max(value, range.lowerBound), range.upperBound) }
      }
    }
    let range: ClosedRange<Int>
    var assignments = 0
    init(_ range: ClosedRange<Int>) { (self.range, value) = (range, range.lowerBound) }
  }

  @Test func oppositeBindingsThatCannotAgree() {
    let (left, right) = (Clamping(5...100), Clamping(0...3))
    right.bind(left, \.value, to: \.value)
    left.bind(right, \.value, to: \.value)
    #expect(left.range.contains(left.value) && right.range.contains(right.value))
    left.value = 50
    #expect(left.range.contains(left.value) && right.range.contains(right.value))
    #expect(left.assignments + right.assignments < 2_000)
    left.unobserve(right)
  }

  @Test func aTargetThatAdvancesItsSource() {
    final class Player: KeyValueObject {
      var track = 0 { didSet { if track < 300 { song?.plays += 1 } } }
      var song: Song?
    }
    let player = Player()
    player.song = song
    player.bind(song, \.plays, to: \.track)
    song.plays = 1
    #expect(song.plays == 300 && player.track == 300)
  }

  @Test func whatATargetMakesOfAValueStays() {
    final class Refusing: KeyValueObject {
      var assignments = 0
      var even = 0 { didSet { if even % 2 == 1 { even = oldValue } else { assignments += 1 } } }
      @Observed var text = "" { didSet { assignments += 1 } }
    }
    let refusing = Refusing()
    refusing.bind(song, \.plays, to: \.even)
    song.plays = 3
    #expect(refusing.even == 0)
    song.plays = 4
    #expect(refusing.even == 4 && refusing.assignments == 1)
    refusing.bind(song, \.title, to: \.text)
    refusing.observe(refusing, \.text) { refusing, _, _ in if refusing.text == "B" { refusing.text = "mine" } }
    song.title = "B"
    #expect(refusing.text == "mine")
    refusing.unobserve(refusing)
  }

  @MainActor @Test func whatATargetMakesOfAValueThatHadToWaitStays() async {
    let (target, song) = (Song(), song)
    target.bind(song, \.title, to: \.title)
    var count = 0
    target.observe(target, \.title) { [song] target, _, _ in
      guard target.title == "B", count < 1_000 else { return }
      count += 1
      target.title = "mine"
      // Its notification comes after what waits, and is still known to be caused by the binding.
      song.title = "B"
    }
    #expect(finishes { for _ in 0..<2 { song.title = "B" } })
    while target.title == "A" { await Task.yield() }
    for _ in 0..<10 { await Task.yield() }
    #expect(target.title == "mine" && count == 2)
    target.kvoController.unobserveAll()
  }

  @Test func aTransformRunsOnceForEachChange() {
    var count = 0
    label.bind(song, \.plays, to: \.text) { plays in
      count += 1
      return "\(count): \(plays)"
    }
    song.plays = 1
    #expect(label.take() == ["1: 0", "2: 1"] && count == 2)
  }

  @Test func aHandlerThatStopsChangingTheSource() {
    final class Target: KeyValueObject { @Observed var plays = 0 }
    let target = Target()
    target.bind(song, \.plays, to: \.plays)
    target.observe(target, \.plays) { [song] _, _, _ in if song.plays < 50 { song.plays += 1 } }
    song.plays = 1
    #expect(song.plays == 50 && target.plays == 50)
  }

  // MARK: The target

  class Cell: KeyValueObject {
    var title = ""

    func bindTitle(_ song: Song) -> KVOObservation { bind(song, \.title, to: \.title) }
  }

  final class BoldCell: Cell {
    override var title: String {
      get { super.title }
      set { super.title = newValue.uppercased() }
    }
  }

  @Test func anOverrideNamedByItsSuperclassIsAnotherTarget() {
    let cell = BoldCell()
    let first = cell.bindTitle(song)
    let second = cell.bind(song, \.title, to: \.title)
    #expect(first.isValid && second.isValid && cell.title == "A")
    #expect(cell.bindTitle(song).isEqual(first) && cell.bind(song, \.title, to: \.title).isEqual(second))
  }

  class Grid<Content>: KeyValueObject {
    @Observed var count = 0

    func bindCount(_ song: Song) -> KVOObservation { bind(song, \.plays, to: \.count) }
  }

  class Pane: KeyValueObject {
    struct Size { var width = 0, height = 0 }
    @Observed var size = Size()

    func bindWidth(_ song: Song) -> KVOObservation { bind(song, \.plays, to: \.size.width) }
  }

  final class WidePane: Pane {}

  @Test func aPropertyOfAGenericClassIsOneTarget() {
    let grid = Grid<Int>()
    let first = grid.bindCount(song)
    let second = grid.bind(other, \.plays, to: \.count)
    #expect(!first.isValid && second.isValid)
    let third = grid.bindCount(song)
    #expect(!second.isValid && third.isValid && grid.bind(song, \.plays, to: \.count).isEqual(third))
    #expect(grid.kvoController.observations.count == 1)
  }

  @Test func aPartOfAPropertyIsOneTargetWhateverClassNamesIt() {
    let pane = WidePane()
    let first = pane.bindWidth(song)
    let second = pane.bind(other, \.plays, to: \.size.width)
    let third = pane.bind(other, \.plays, to: \.size.height)
    #expect(!first.isValid && second.isValid && third.isValid)
    #expect(pane.bindWidth(other).isEqual(second))
  }

  final class Outlets: KeyValueObject {
    var label: Label?
  }

  @Test func anOutletThatIsNilIsNotAssigned() {
    let outlets = Outlets()
    outlets.bind(song, \.title, to: \.label!.text)
    outlets.bind(song, \.title, to: \.label!.optional)
    song.title = "B"
    outlets.label = label
    #expect(label.take() == [])
    song.title = "C"
    #expect(label.take().sorted() == ["C", "C"])
    outlets.label = nil
    song.title = "D"
    #expect(label.take() == [])
  }

  @Test func aBindingThatBeginsInAPriorCall() {
    let root = Song("root", next: song)
    var tokens: [KVOObservation] = []
    let (length, name) = (Label(), Label())
    root.kvoController.observe(song, \.title, options: .prior) { [label] _, change in
      if change.isPrior, tokens.isEmpty {
        tokens.append(label.bind(change.isPrior ? root : root, \.next!.title, to: \.text))
      }
    }
    song.title = "B"
    #expect(label.take() == ["A", "B"])
    root.kvoController.observe(song, \.headline, options: .prior) { [song] _, change in
      guard change.isPrior, tokens.count == 1 else { return }
      tokens.append(length.bind(song, \.title, to: \.text) { "\($0.count)" })
      tokens.append(name.bind(song, \.headline, to: \.text))
    }
    song.title = "Cd"
    #expect(length.text == "2" && name.text == "CD")
    root.kvoController.unobserveAll()
  }

  @Test func aBindingThatBeginsInAnInPlaceMutationOrAPair() {
    func mutate(_ tags: inout [String]) {
      label.bind(song, \.tags, to: \.text) { $0.joined() }
      tags.append("x")
    }
    let token = label.observe(song, \.tags) { _, _, _ in }
    mutate(&song.tags)
    token.invalidate()
    #expect(label.text == "x")
    song.willChangeValue(forKey: "caption")
    label.bind(song, \.caption, to: \.optional)
    _ = label.take()
    song.didChangeValue(forKey: "caption")
    #expect(label.optional == "A (0)")
  }

  @Test func nothingIsBoundInADeinit() {
    let (song, basket, good) = (Song(), Basket(), Good())
    basket.goods = [good]
    final class Leaving: Label, @unchecked Sendable {
      @Observed var caption = ""
      let song: Song
      let basket: Basket
      init(_ song: Song, _ basket: Basket) { (self.song, self.basket) = (song, basket) }
      deinit {
        bind(song, \.title, to: \.caption)
        bindBothWays(song, \.title, with: \.caption)
        observe(allOf: song) { _, _, _ in }
        observe(basket, elements: \.goods, \.price) { _, _, _ in }
      }
    }
    do { _ = Leaving(song, basket) }
    #expect([song, basket, good].map(\.observersDescription) == ["", "", ""])
  }

  @Test func endingItInTheTransformOfItsInitialCallAssignsNothing() {
    label.bind(song, \.plays, to: \.text) { [unowned label, song] plays in
      label.unobserve(song)
      return "\(plays)"
    }
    song.plays = 7
    #expect(label.take() == [] && song.registrationCount == 0)
  }

  @Test func objectsThatAreKeysAreTheSameOrNot() {
    final class Table: KeyValueObject { @Observed var entries: [Account: Int] = [:] }
    let (left, right) = (Table(), Table())
    right.bind(left, \.entries, to: \.entries)
    for _ in 0..<2 {
      let account = Account(1)
      left.entries = [account: 1]
      #expect(right.entries.keys.first === account)
    }
  }

  @Test func itAssignsToTheObjectOnWhichItWasCalled() {
    let (view, elsewhere) = (Label(), Label())
    let controller = KVOController(observer: elsewhere)
    view.kvoController = controller
    view.bind(song, \.title, to: \.text)
    elsewhere.bind(song, \.title, to: \.text)
    #expect(view.text == "A" && elsewhere.text == "A")
    song.title = "B"
    #expect(view.take() == ["A", "B"] && elsewhere.take() == ["A", "B"])
    #expect(controller.observations.count == 1)
  }

  @Test func itEndsWithTheObjectOnWhichItWasCalled() {
    let elsewhere = Label()
    let controller = KVOController(observer: elsewhere)
    weak var gone: Label?
    do {
      let view = Label()
      gone = view
      view.kvoController = controller
      view.bind(song, \.title, to: \.text)
      #expect(song.registrationCount == 1)
    }
    #expect(gone == nil && song.registrationCount == 0 && controller.observations.isEmpty)
  }

  @Test func manyBindingsOfOneObject() {
    for line in 0..<5_000 { label.bind(song, \.title, to: \.[line]) }
    song.title = "B"
    #expect(label.lines.count == 5_000 && label.lines.values.allSatisfy { $0 == "B" })
    label.unobserve(song)
  }

  // MARK: Lifetimes

  @Test func aBindingLeavesNothingBehind() {
    weak var gone: Label?
    do {
      let label = Label()
      gone = label
      for line in 0..<100 {
        label.bind(song, \.title, to: \.[line]).invalidate()
        label.bind(song, \.plays, to: \.[line]) { "\($0)" }
      }
      label.unobserve(song)
      label.bind(song, \.title, to: \.text)
    }
    #expect(gone == nil && song.registrationCount == 0)
  }

  @Test func aBindingInsideOfABinding() {
    final class Chooser: Label, @unchecked Sendable {
      var songs: [Song] = []
      var choice = 0 {
        didSet { if songs.indices.contains(choice) { bind(songs[choice], \.title, to: \.text) } }
      }
    }
    let chooser = Chooser()
    chooser.songs = [song, other]
    chooser.bind(song, \.plays, to: \.choice)
    #expect(chooser.text == "?")
    song.plays = 1
    #expect(chooser.text == "X")
    song.title = "B"
    #expect(chooser.text == "X")
  }

  @Test func anAssignmentBindsItsPropertyAgain() {
    final class Impatient: Label, @unchecked Sendable {
      @Observed var caption = "" {
        didSet { if caption == "A", let song { bind(song, \.title, to: \.caption) { "\($0)!" } } }
      }
      var song: Song?
    }
    let impatient = Impatient()
    impatient.song = song
    let first = impatient.bind(song, \.title, to: \.caption)
    #expect(!first.isValid && impatient.caption == "A!")
    song.title = "B"
    #expect(impatient.caption == "B!")
    #expect(impatient.kvoController.observations.count == 1)
  }

  @MainActor final class View: KeyValueObject {
    var text = "" { didSet { texts.append(text) } }
    var texts: [String] = []
    func show(_ song: Song) { bind(song, \.title, to: \.text) }
    func showPlays(_ song: Song) { bind(song, \.plays, to: \.text) { "\($0)" } }
  }

  @MainActor @Test func whatWaitsForAnEndedBindingIsDropped() async {
    let view = View()
    let (song, other) = (song, other)
    view.show(song)
    #expect(finishes { song.title = "late" })
    view.show(other)
    #expect(finishes { other.title = "Y" })
    while view.texts.count < 3 { await Task.yield() }
    #expect(view.texts == ["A", "X", "Y"])
    view.showPlays(song)
    #expect(view.text == "0")
  }

  @Test func twoThreadsLeaveTheLastValue() {
    final class Pair: KeyValueObject, @unchecked Sendable {
      @Observed var left = 0
      @Observed var right = 0
      @Observed var child: Pair?
      var sum: Int { left + right }
      let bound = Locked(0)
      var total: Int {
        get { bound.current }
        set { bound.withLock { $0 = newValue } }
      }
      let boundChild = Locked(0)
      var childsLeft: Int? {
        get { boundChild.current }
        set { boundChild.withLock { $0 = newValue ?? -1 } }
      }
    }
    let (source, target) = (Pair(), Pair())
    target.bind(source, \.sum, to: \.total)
    target.bind(source, \.child?.left, to: \.childsLeft)
    for round in 1...1_000 {
      let former = source.child
      onThreads(2) { thread in
        if thread == 0 {
          source.left = round
          former?.left = -round
        } else {
          source.right = round
          let child = Pair()
          child.left = round
          source.child = child
        }
      }
      #expect(target.total == 2 * round && target.childsLeft == source.child?.left)
    }
  }

  @Test func threadsBindOnePropertyAtOnce() {
    final class Shared: KeyValueObject, @unchecked Sendable {
      let title = Locked("")
      var text: String {
        get { title.current }
        set { title.withLock { $0 = newValue } }
      }
    }
    let songs = (0..<4).map { Song("\($0)") }
    let shared = Shared()
    for _ in 0..<200 {
      onThreads(4) { shared.bind(songs[$0], \.title, to: \.text, isolation: nil) }
      #expect(shared.kvoController.observations.count == 1)
      #expect(songs.count { $0.registrationCount > 0 } == 1)
    }
  }
}

extension BindingTests.MainActorValue: @MainActor Equatable {
  @MainActor static func == (left: Self, right: Self) -> Bool {
    MainActor.assertIsolated()
    return left.number == right.number
  }
}
