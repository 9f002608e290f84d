import KVOController
import Testing

/// When a binding looks at its properties, and what it assigns.
@Suite struct LooksTests {
  // MARK: Looks

  @Test func aChangeBeginsALook() {
    var looks = Looks()
    #expect(looks.begin(after: .source, on: 1) == [.source])
    #expect(looks.end() == nil)
    #expect(looks.begin(after: .target, on: 2) == [.target])
  }

  @Test func changesOfOwnAssignmentsAreLookedAtOnce() {
    var looks = Looks()
    _ = looks.begin(after: .source, on: 1)
    #expect(looks.begin(after: .target, on: 1) == nil && looks.begin(after: .source, on: 1) == nil)
    #expect(looks.end() == [])
    #expect(looks.end() == nil)
  }

  @Test func aChangeOfAnotherThreadIsAFirstLook() {
    var looks = Looks()
    _ = looks.begin(after: .source, on: 1)
    #expect(looks.begin(after: .target, on: 2) == nil)
    #expect(looks.begin(after: .source, on: 1) == nil)
    #expect(looks.end() == [.target])
    #expect(looks.end() == nil)
  }

  @Test func aHundredLooksAreEnough() {
    var looks = Looks()
    var count = 1
    _ = looks.begin(after: .source, on: 1)
    while count < 1_000 {
      _ = looks.begin(after: .source, on: 1)
      guard looks.end() != nil else { break }
      count += 1
    }
    #expect(count == 100)
    #expect(looks.begin(after: .source, on: 1) == [.source])
  }

  // MARK: Agreement

  private static let owner = ObjectIdentifier(NSObject.self)
  private let first: Looks.Side = [.source, .target]
  private let again: Looks.Side = []

  /// An agreement of two sides that have these values.
  private func agreement<Value>(on source: Value, _ target: Value) -> Agreement<Value> {
    var agreement = Agreement<Value>()
    guard let (value, side) = agreement.look(first, (source, target), owner: Self.owner) else { return agreement }
    _ = agreement.assigned(value, to: side, made: target, other: source)
    agreement.gaveBack(to: .source, made: source)
    return agreement
  }

  @Test func theSourceComesFirst() {
    var agreement = Agreement<Int>()
    let step = agreement.look(first, (1, 2), owner: Self.owner)
    #expect(step?.value == 1 && step?.side == .target)
    #expect(agreement.assigned(1, to: .target, made: 1, other: 1) == nil)
    #expect(agreement.look(first, (1, 1), owner: Self.owner) == nil)
  }

  @Test func theSideThatDiffersFromItsLastValueHasChanged() {
    var agreement = agreement(on: 1, 1)
    let toSource = agreement.look(first, (1, 2), owner: Self.owner)
    #expect(toSource?.value == 2 && toSource?.side == .source)
    _ = agreement.assigned(2, to: .source, made: 2, other: 2)
    let toTarget = agreement.look(first, (3, 2), owner: Self.owner)
    #expect(toTarget?.value == 3 && toTarget?.side == .target)
    _ = agreement.assigned(3, to: .target, made: 3, other: 3)
    let both = agreement.look(first, (4, 5), owner: Self.owner)
    #expect(both?.value == 4 && both?.side == .target)
  }

  @Test func whatASideMakesOfAValueIsGivenBackOnce() {
    var agreement = agreement(on: 1, 1)
    _ = agreement.look(first, (5, 1), owner: Self.owner)
    #expect(agreement.assigned(5, to: .target, made: 6, other: 5) == 6)
    agreement.gaveBack(to: .source, made: 7)
    #expect(agreement.look(again, (7, 6), owner: Self.owner) == nil)
    #expect(agreement.look([.target], (7, 6), owner: Self.owner) == nil)
    #expect(agreement.look([.source], (7, 6), owner: Self.owner) == nil)
    let step = agreement.look([.source], (8, 6), owner: Self.owner)
    #expect(step?.value == 8 && step?.side == .target)
  }

  @Test func aSideThatHasChangedAgainIsNotGivenAnything() {
    var agreement = agreement(on: 1, 1)
    _ = agreement.look(first, (2, 1), owner: Self.owner)
    #expect(agreement.assigned(2, to: .target, made: 2, other: 3) == nil)
    let step = agreement.look(again, (3, 2), owner: Self.owner)
    #expect(step?.value == 3 && step?.side == .target)
  }

  @Test func anotherOwnerBeginsAnew() {
    var agreement = agreement(on: 1, 1)
    let other = ObjectIdentifier(NSString.self)
    let step = agreement.look(first, (1, 2), owner: other)
    #expect(step?.value == 1 && step?.side == .target)
    _ = agreement.assigned(1, to: .target, made: 1, other: 1)
    #expect(agreement.look(first, nil, owner: nil) == nil)
    let next = agreement.look(first, (1, 3), owner: other)
    #expect(next?.value == 1 && next?.side == .target)
  }

  @Test func whatIsNotEqualToItselfHasChangedIfItWasNotified() {
    var agreement = agreement(on: Double.nan, .nan)
    #expect(agreement.look(again, (.nan, .nan), owner: Self.owner) == nil)
    let step = agreement.look([.target], (.nan, .nan), owner: Self.owner)
    #expect(step?.side == .source)
  }
}
