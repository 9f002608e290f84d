#if !canImport(ObjectiveC)
import Synchronization

/// Gives each observation a number that stands for it in the context pointer of its registration.
///
/// A number is never used twice, so that no registration is ever taken for another.
struct Contexts: Sendable {
  private static let count = Atomic<UInt>(0)

  func insert(_ info: KVOInfo) -> UInt {
    Self.count.wrappingAdd(1, ordering: .relaxed).newValue
  }

  func remove(_ context: UInt) {}
}
#endif
