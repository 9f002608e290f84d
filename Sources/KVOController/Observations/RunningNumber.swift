#if !canImport(ObjectiveC)
import Synchronization

/// Numbers that are never given twice.
enum RunningNumber {
  private static let count = Atomic<UInt>(0)

  static func next() -> UInt {
    count.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
#endif
