#if !canImport(ObjectiveC)
import Synchronization

extension KVOSharedController {
  /// A unique number that represents the observation in the context pointer.
  func newContext(for info: KVOInfo) -> UInt {
    FoundationWay.isTaken ? contexts.insert(info) : RunningNumber.next()
  }

  /// The receiver of the changes, which the engine calls instead of this object.
  func receiver(for info: KVOInfo) -> (any KeyValueChangeReceiver)? {
    FoundationWay.isTaken ? nil : info
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
