import KeyValueObserving
import Testing
import _KVOTestSupport

/// The properties of a class without metadata for reflection are known by name, and their types are learned.
@Suite struct UntypedFieldsTests {
  let fields = UntypedFields([("title", 16), ("count", 24)])

  @Test func aPropertyHasNoTypeUntilItIsSet() {
    #expect(fields.contains("title"))
    #expect(!fields.contains("subtitle"))
    #expect(fields.field("title") == nil)
  }

  @Test func theTypeIsLearnedOnce() {
    let learned = fields.field(atOffset: 24, valueType: Int.self)
    #expect(learned?.name == "count")
    #expect(learned?.offset == 24)
    #expect(learned?.valueType == Int.self)
    #expect(fields.field("count") === learned)
    #expect(fields.field(atOffset: 24, valueType: Int.self) === learned)
    #expect(fields.field("title") == nil)
  }

  @Test func anotherOffsetIsNoProperty() {
    #expect(fields.field(atOffset: 20, valueType: Int.self) == nil)
    #expect(fields.field(atOffset: 32, valueType: String.self) == nil)
  }

  @Test func threadsLearnTheSame() {
    let fields = fields
    let learned = Locked<[ObjectIdentifier]>([])
    onThreads(4) { _ in
      guard let field = fields.field(atOffset: 16, valueType: String.self) else { return }
      learned.withLock { $0.append(ObjectIdentifier(field)) }
    }
    let all = learned.withLock { $0 }
    #expect(all.count == 4)
    #expect(Set(all).count == 1)
  }
}
