#if !canImport(ObjectiveC)
import KVOController
import Testing

/// The cost of observability for an object that isn't observed.
@Suite struct ObjectSizeTests {
  private final class PlainModel: NSObject {
    var first = 0
  }

  private final class ObservedModel: KeyValueObject {
    var first = 0
    @Observed var middle = 0
    var last = 0
  }

  private func offset(of field: UnsafeMutablePointer<Int>, in object: AnyObject) -> Int {
    UnsafeRawPointer(field) - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  @Test func anObjectTakesOneWordMoreThanAPlainOne() {
    let (plain, observed) = (PlainModel(), ObservedModel())
    let plainStart = offset(of: &plain.first, in: plain)
    let observedStart = offset(of: &observed.first, in: observed)
    #expect(observedStart - plainStart == MemoryLayout<UnsafeRawPointer>.size)
    #expect(offset(of: &observed.last, in: observed) - observedStart == 2 * MemoryLayout<Int>.size)
  }
}
#endif
