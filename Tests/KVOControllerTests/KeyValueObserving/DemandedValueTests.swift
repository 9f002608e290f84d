import KVOController
import Testing

/// What a subscriber of a publisher receives, by what it has demanded.
@Suite struct DemandedValueTests {
  private var value = DemandedValue<Int>()

  @Test mutating func nothingIsSentWithoutDemand() {
    #expect(value.receive(1) == nil)
    #expect(value.request(0) == nil)
  }

  @Test mutating func aLaterDemandGetsTheLatestValueOnce() {
    #expect(value.receive(1) == nil)
    #expect(value.receive(2) == nil)
    #expect(value.request(1) == 2)
    #expect(value.request(1) == nil)
    #expect(value.receive(3) == 3)
    #expect(value.receive(4) == nil)
  }

  @Test mutating func demandsAddUp() {
    #expect(value.request(1) == nil)
    #expect(value.request(2) == nil)
    #expect([1, 2, 3, 4].map { value.receive($0) } == [1, 2, 3, nil])
    #expect(value.request(2) == 4)
    #expect(value.receive(5) == 5)
    #expect(value.receive(6) == nil)
  }

  @Test mutating func anUnlimitedDemandStaysSo() {
    #expect(value.receive(1) == nil)
    #expect(value.request(nil) == 1)
    #expect((0..<100).allSatisfy { value.receive($0) == $0 })
    #expect(value.request(1) == nil)
    #expect((0..<100).allSatisfy { value.receive($0) == $0 })
  }
}
