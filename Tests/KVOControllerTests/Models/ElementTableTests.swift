import KVOController
import Testing
import _KVOTestSupport

/// Which elements come and leave is found by comparing identities.
@Suite struct ElementTableTests {
  private final class Member {}

  private let goods = (0..<10).map { Good("\($0)") }

  private func update(
    _ table: inout ElementTable<Member>, to numbers: [Int], hint: (range: Range<Int>, removed: Int)? = nil
  ) -> (left: Int, came: [Int]) {
    let difference = table.update(to: numbers.map { ObjectIdentifier(goods[$0]) }, hint: hint, Member.init)
    return (difference.left.count, difference.came.map(\.position))
  }

  @Test func onlyWhatDiffersComesAndLeaves() {
    var table = ElementTable<Member>()
    #expect(update(&table, to: [0, 1, 0, 2]) == (0, [0, 1, 3]))
    #expect(update(&table, to: [0, 1, 3, 2]) == (0, [2]))
    #expect(update(&table, to: [2, 3, 1, 0]) == (0, []))
    #expect(update(&table, to: [2, 1]) == (2, []))
    #expect(update(&table, to: []) == (2, []))
    #expect(table.count == 0)
  }

  @Test func aHintIsUsedIfItAccountsForTheNumber() {
    var table = ElementTable<Member>()
    _ = update(&table, to: [0, 1, 2])
    #expect(update(&table, to: [0, 3, 1, 2], hint: (1..<2, 0)) == (0, [1]))
    #expect(update(&table, to: [0, 1, 2], hint: (1..<1, 1)) == (1, []))
    #expect(update(&table, to: [4, 1, 2], hint: (0..<1, 1)) == (1, [0]))
    #expect(update(&table, to: [5, 6], hint: (1..<2, 0)) == (3, [0, 1]))
  }

  @Test func onlyAChangeDuringWhichNothingElseHappenedIsTaken() {
    let thread = CurrentThread.identity
    var changes = CollectionChanges()
    var areTaken: [Bool] = []
    func end() { areTaken.append(changes.end(on: thread)) }
    changes.begin(on: thread)
    #expect(changes.areUnderWay(on: thread))
    end()
    #expect(areTaken == [true] && !changes.areUnderWay(on: thread))
    changes.begin(on: thread)
    changes.begin(on: thread)
    end()
    end()
    changes.begin(on: thread)
    changes.takeTurn()
    end()
    end()
    changes.begin(on: thread)
    end()
    #expect(areTaken == [true, false, false, false, false, true])
  }

  @Test func aValueIsReadAgainOnceIfAnotherOneWasAdoptedMeanwhile() {
    var changes = CollectionChanges()
    func change() -> CollectionChanges.Reading {
      changes.takeTurn()
      return changes.beginReading()
    }
    var first = change()
    #expect(changes.endReading(&first) == .adopt(isNext: false))
    var second = change()
    #expect(changes.endReading(&second) == .adopt(isNext: true))
    // Another thread begins to read later, and is ready first.
    var third = change()
    var fourth = change()
    #expect(changes.endReading(&fourth) == .adopt(isNext: false))
    #expect(changes.endReading(&third) == .isContained)
    // It began to read earlier.
    var fifth = change()
    var sixth = change()
    #expect(changes.endReading(&fifth) == .adopt(isNext: false))
    #expect(changes.endReading(&sixth) == .readAgain)
    #expect(changes.endReading(&sixth) == .adopt(isNext: true))
  }
}
