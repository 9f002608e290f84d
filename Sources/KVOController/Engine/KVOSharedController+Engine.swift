#if !canImport(ObjectiveC)
import Synchronization

extension KVOSharedController {
  /// A unique number that represents the observation in the context pointer.
  func newContext(for info: KVOInfo) -> UInt {
    FoundationWay.isTaken ? contexts.insert(info) : RunningNumber.next()
  }
}

/// Numbers that are never used twice.
private enum RunningNumber {
  private static let count = Atomic<UInt>(0)

  static func next() -> UInt {
    count.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
#endif
