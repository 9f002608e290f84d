import KVOController
import Testing
import _RandomPrograms

/// Random values of every kind, alone and in collections of every kind, set for properties of every kind. A table says what
/// each number becomes.
@Suite struct RandomConversionTests {
  private enum Level: Int { case lowest, low, middle, high, highest }

  /// What a number of quarters becomes in a property of each type, and which numbers the type can hold.
  private static var table: [any ConversionRow] {
    let whole = -2_000_000_000...2_000_000_000
    return [
      TypeRow(Int.self, whole) { $0 / 4 },
      TypeRow(Int8.self, -515...511) { Int8($0 / 4) },
      TypeRow(Int16.self, -131_075...131_071) { Int16($0 / 4) },
      TypeRow(Int32.self, whole) { Int32($0 / 4) },
      TypeRow(Int64.self, whole) { Int64($0 / 4) },
      TypeRow(UInt.self, -3...2_000_000_000) { UInt($0 / 4) },
      TypeRow(UInt8.self, -3...1023) { UInt8($0 / 4) },
      TypeRow(UInt16.self, -3...262_143) { UInt16($0 / 4) },
      TypeRow(UInt64.self, -3...2_000_000_000) { UInt64($0 / 4) },
      TypeRow(Float.self, -4_000_000...4_000_000) { Float($0) / 4 },
      TypeRow(Double.self, whole) { Double($0) / 4 },
      TypeRow(CGFloat.self, whole) { CGFloat($0) / 4 },
      TypeRow(Decimal.self, whole) { Decimal($0) / 4 },
      TypeRow(Bool.self, -10...10) { $0 != 0 },
      TypeRow(NSNumber.self, whole) { NSNumber(value: Double($0) / 4) },
      TypeRow(Level.self, -3...19) { Level(rawValue: $0 / 4) ?? .lowest },
    ]
  }

  @Test func everyNumberBecomesWhatTheTableSays() {
    let table = Self.table
    let failure = RandomRun.failure(operations: 20_000) { choices, steps in
      steps.firstFailure { choices.pick(table).failure(&choices) }
    }
    #expect(failure == nil, "\(failure ?? "")")
  }
}
