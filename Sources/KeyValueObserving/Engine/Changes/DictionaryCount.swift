#if DEBUG && !canImport(ObjectiveC)
import Synchronization

/// The number of change dictionaries that were created, for tests, because typed handlers need none. It isn't counted
/// in release builds.
package enum DictionaryCount {
  private static let count = Atomic<Int>(0)

  package static var current: Int { count.load(ordering: .relaxed) }

  static func add() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
#endif
