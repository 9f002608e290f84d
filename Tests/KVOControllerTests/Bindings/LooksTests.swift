import KVOController
import Testing

/// When a binding looks at its properties, and what it assigns.
@Suite struct LooksTests {
  // MARK: Looks

  @Test func anAnswerAfterANewBeginningIsNotComparedWithFormerLooks() {
    var agreement = Agreement<Int>()
    let (first, second) = (KeyValueObject(), KeyValueObject())
    // A target that answers 6, and a source that keeps 0.
    #expect(agreement.look(0, 6, of: first)?.value == 0)
    #expect(agreement.look(0, 6, of: first)?.value == 6)
    #expect(agreement.look(0, 6, of: first) == nil)
    #expect(agreement.look(0, 6, of: second)?.value == 0)
    #expect(agreement.look(0, 6, of: second)?.value == 6)
  }

  @Test func whatComesMeanwhileIsTheNextLooks() {
    var looks = Looks()
    let first = looks.begin(on: 1)
    #expect(first && looks.next() == true)
    let second = looks.begin(on: 2)
    #expect(!second && looks.next() == true && looks.next() == nil)
    let third = looks.begin(on: 2)
    #expect(third)
  }

  @Test func anOwnAssignmentIsLookedAt() {
    var looks = Looks()
    _ = looks.begin(on: 1)
    _ = looks.next()
    looks.willAssign(on: 1)
    looks.didAssign()
    #expect(looks.next() == false && looks.count == 1 && looks.next() == nil)
  }

  @Test func whatAnOwnAssignmentCausesOnItsThreadIsNoNotification() {
    var looks = Looks()
    _ = looks.begin(on: 1)
    _ = looks.next()
    looks.willAssign(on: 1)
    _ = looks.begin(on: 1)
    looks.didAssign()
    #expect(looks.next() == false && looks.count == 1)
    looks.willAssign(on: 1)
    _ = looks.begin(on: 2)
    looks.didAssign()
    #expect(looks.next() == true && looks.count == 0)
  }

  // MARK: Agreement

  /// An agreement of two sides that had these values.
  private func agreement(_ values: (Int, Int)...) -> Agreement<Int> {
    var agreement = Agreement<Int>()
    for (source, target) in values { _ = agreement.look(source, target) }
    return agreement
  }

  /// What a look at values assigns.
  private func assigned(_ agreement: inout Agreement<Int>, _ source: Int, _ target: Int) -> String {
    agreement.look(source, target).map { "\($0.value) to \($0.side)" } ?? "nothing"
  }

  @Test func theSourceComesFirst() {
    var agreement = Agreement<Int>()
    #expect(assigned(&agreement, 1, 2) == "1 to target")
    #expect(assigned(&agreement, 1, 1) == "nothing")
    agreement = Agreement()
    #expect(assigned(&agreement, 1, 3) == "1 to target")
  }

  @Test func theSideThatDiffersFromItsLastValueHasChanged() {
    var agreement = agreement((1, 1))
    #expect(assigned(&agreement, 1, 2) == "2 to source")
    #expect(assigned(&agreement, 2, 2) == "nothing")
    #expect(assigned(&agreement, 3, 2) == "3 to target")
    #expect(assigned(&agreement, 3, 3) == "nothing")
    #expect(assigned(&agreement, 4, 5) == "4 to target")
  }

  @Test func anAnswerIsGivenToTheOtherSide() {
    var agreement = agreement((1, 1))
    #expect(assigned(&agreement, 5, 1) == "5 to target")
    #expect(assigned(&agreement, 5, 6) == "6 to source")
    #expect(assigned(&agreement, 6, 6) == "nothing")
  }

  @Test func answersThatRepeatEndIt() {
    var agreement = agreement((1, 1), (5, 1))
    #expect(assigned(&agreement, 5, 3) == "3 to source")
    #expect(assigned(&agreement, 5, 3) == "5 to target")
    #expect(assigned(&agreement, 5, 3) == "nothing")
    #expect(assigned(&agreement, 5, 3) == "nothing")
    #expect(assigned(&agreement, 6, 3) == "6 to target")
  }

  @Test func aHundredAnswersAreEnough() {
    var agreement = agreement((0, 0), (1, 0))
    var count = 0
    var values = (1, 0)
    while true {
      if count.isMultiple(of: 2) { values.1 = values.0 + 1 } else { values.0 = values.1 + 1 }
      guard agreement.look(values.0, values.1) != nil else { break }
      count += 1
    }
    #expect(count == 100)
    #expect(agreement.look(values.0, values.1) == nil)
  }

  @Test func changesThatAreNoAnswersAreNotCounted() {
    var agreement = agreement((0, 0))
    for number in 0..<1_000 {
      let isOne = number.isMultiple(of: 2)
      #expect(agreement.look(isOne ? 1 : 0, isOne ? 0 : 1) != nil)
    }
  }
}
