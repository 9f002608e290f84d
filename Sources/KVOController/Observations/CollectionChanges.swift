/// The changes of a collection that are under way, as the notifications before and after each of them tell.
package struct CollectionChanges {
  /// The number of notifications. A value that is read after one was counted contains its change.
  package private(set) var turn = 0
  private var underWay = 0
  /// The turn when the only change under way began, if there is one, and no other was under way since.
  private var turnOfOnly: Int?

  package init() {}

  /// Whether a change has begun, and wasn't notified yet.
  package var areUnderWay: Bool { underWay > 0 }

  /// Counts a change that is about to happen.
  package mutating func begin() {
    turnOfOnly = underWay == 0 ? turn : nil
    underWay += 1
  }

  /// Counts the notification of a change that has happened. There was none before it if the observation began during it.
  ///
  /// - Returns: Whether nothing else has happened since it began.
  package mutating func end() -> Bool {
    let isOnly = underWay == 1 && turnOfOnly == turn
    if underWay > 0 { underWay -= 1 }
    takeTurn()
    return isOnly
  }

  /// Counts a notification that isn't of a change.
  package mutating func takeTurn() {
    turnOfOnly = nil
    turn += 1
  }
}
