/// The changes of a collection that are under way, as the notifications before and after each of them tell.
struct CollectionChanges {
  /// The number of notifications. A value that is read after one was counted contains its change.
  private(set) var turn = 0
  /// The threads that make the changes under way.
  private var threads: [ThreadIdentity] = []
  /// The turn when the only change under way began, if there is one, and no other was under way since.
  private var turnOfOnly: Int?
  /// The latest turn whose change is in the value that was adopted last.
  private var adoptedTurn = -1
  private var adoptions = 0

  init() {}

  /// Whether a change has begun on a thread, and wasn't notified yet.
  func areUnderWay(on thread: ThreadIdentity) -> Bool { !threads.isEmpty && threads.contains(thread) }

  /// Counts a change that is about to happen.
  mutating func begin(on thread: ThreadIdentity) {
    turnOfOnly = threads.isEmpty ? turn : nil
    threads.append(thread)
  }

  /// Counts the notification of a change that has happened. There was none before it if the observation began during it.
  ///
  /// - Returns: Whether nothing else has happened since it began.
  mutating func end(on thread: ThreadIdentity) -> Bool {
    let isOnly = threads == [thread] && turnOfOnly == turn
    if let index = threads.lastIndex(of: thread) { threads.remove(at: index) }
    takeTurn()
    return isOnly
  }

  /// Counts a notification that isn't of a change.
  mutating func takeTurn() {
    turnOfOnly = nil
    turn += 1
  }

  // MARK: Values

  /// A value that is being read for a change.
  struct Reading {
    /// The turn of the change.
    fileprivate let change: Int
    /// The turn when the value began to be read.
    fileprivate var turn: Int
    fileprivate var adoptions: Int
  }

  /// What to do with a value that was read.
  enum Outcome: Equatable {
    /// Adopt it.
    ///
    /// - Parameter isNext: Whether it differs from the one that was adopted last by the change alone.
    case adopt(isNext: Bool)
    /// Read it again, because another thread has adopted one that may be newer.
    case readAgain
    /// Nothing: another thread has adopted a value that contains the change.
    case isContained
  }

  /// Called before the value is read for the latest change.
  func beginReading() -> Reading { Reading(change: turn, turn: turn, adoptions: adoptions) }

  /// Called when the value was read. A thread reads it at most twice: what is adopted during the second read was read after
  /// something was adopted during the first, and so contains the change.
  mutating func endReading(_ reading: inout Reading) -> Outcome {
    guard reading.change > adoptedTurn else { return .isContained }
    guard reading.adoptions == adoptions else {
      (reading.turn, reading.adoptions) = (turn, adoptions)
      return .readAgain
    }
    let isNext = turn == reading.change && adoptedTurn == turn - 1
    (adoptedTurn, adoptions) = (reading.turn, adoptions + 1)
    return .adopt(isNext: isNext)
  }
}
