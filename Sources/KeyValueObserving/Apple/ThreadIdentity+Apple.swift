#if canImport(ObjectiveC)
import Foundation

/// An identity of the current thread, which no other thread has while it runs.
struct ThreadIdentity: Hashable, Sendable {
  private let thread: ObjectIdentifier

  static var current: ThreadIdentity { ThreadIdentity(thread: ObjectIdentifier(Thread.current)) }
}
#endif
