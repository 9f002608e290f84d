import KVOController
import Testing
import _KVOTestSupport

/// Which elements come and leave is found by comparing identities.
@Suite struct ElementTableTests {
  private final class Member {}

  private let goods = (0..<10).map { Good("\($0)") }

  private func update(
    _ table: inout ElementTable<Member>, to numbers: [Int]
  ) -> (left: Int, came: [Int]) {
    let number = table.beginReading()
    let difference = table.update(to: numbers.map { ObjectIdentifier(goods[$0]) }, of: number, Member.init)
    return (difference.left.count, difference.came.map(\.position))
  }

  @Test func onlyWhatDiffersComesAndLeaves() {
    var table = ElementTable<Member>()
    #expect(update(&table, to: [0, 1, 0, 2]) == (0, [0, 1, 3]))
    #expect(update(&table, to: [0, 1, 3, 2]) == (0, [2]))
    #expect(update(&table, to: [2, 3, 1, 0]) == (0, []))
    #expect(update(&table, to: [2, 1]) == (2, []))
    #expect(update(&table, to: []) == (2, []))
  }

  @Test func aFormerReadingIsNotAdopted() {
    var table = ElementTable<Member>()
    let former = table.beginReading()
    #expect(update(&table, to: [0]) == (0, [0]))
    #expect(table.update(to: [ObjectIdentifier(goods[1])], of: former, Member.init).came.isEmpty)
    #expect(table[ObjectIdentifier(goods[0])] != nil && table[ObjectIdentifier(goods[1])] == nil)
  }
}
