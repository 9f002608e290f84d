#if DEBUG && !canImport(ObjectiveC)
import Synchronization

/// How many change dictionaries this process has made, for the tests: typed handlers need none. Release builds don't
/// count.
package enum DictionaryCount {
  private static let count = Atomic<Int>(0)

  package static var current: Int { count.load(ordering: .relaxed) }

  static func add() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
#endif
