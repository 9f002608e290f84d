/// The changes of a collection that are under way, as the notifications before and after each of them tell.
package struct CollectionChanges {
  /// The number of notifications. A value that is read after one was counted contains its change.
  package private(set) var turn = 0
  /// The threads that make the changes under way.
  private var threads: [ThreadIdentity] = []
  /// The turn when the only change under way began, if there is one, and no other was under way since.
  private var turnOfOnly: Int?

  package init() {}

  /// Whether a change has begun on a thread, and wasn't notified yet.
  package func areUnderWay(on thread: ThreadIdentity) -> Bool { !threads.isEmpty && threads.contains(thread) }

  /// Counts a change that is about to happen.
  package mutating func begin(on thread: ThreadIdentity) {
    turnOfOnly = threads.isEmpty ? turn : nil
    threads.append(thread)
  }

  /// Counts the notification of a change that has happened. There was none before it if the observation began during it.
  ///
  /// - Returns: Whether nothing else has happened since it began.
  package mutating func end(on thread: ThreadIdentity) -> Bool {
    let isOnly = threads == [thread] && turnOfOnly == turn
    if let index = threads.lastIndex(of: thread) { threads.remove(at: index) }
    takeTurn()
    return isOnly
  }

  /// Counts a notification that isn't of a change.
  package mutating func takeTurn() {
    turnOfOnly = nil
    turn += 1
  }
}
