/// When a binding looks at its properties: one look at a time, and again until nothing has come. A value without a lock.
package struct Looks {
  package enum Side { case source, target }

  /// A look: at the value of the side that has changed last, and whether something else than an own assignment has caused it.
  package typealias Look = (side: Side, isNotified: Bool)

  /// The number of assignments in a row that the own ones alone may cause, and that of a binding in both directions.
  package static var most: Int { 100_000 }
  package static var mostBothWays: Int { 100 }

  private var isLooking = false
  /// The thread on which an own assignment is under way.
  private var assigner: UInt?
  /// What has come since the latest look began.
  private var (side, isNotified): (Side?, Bool) = (nil, false)
  /// The side that the latest look couldn't read.
  private var missed: Side?
  /// The number of assignments since something else than an own one has come.
  package private(set) var count = 0

  package init() {}

  /// Takes note of a change. Returns whether the caller is to look, as long as ``next()`` returns something.
  ///
  /// - Parameters:
  ///   - isOwn: Whether an own assignment has made it.
  ///   - isUnchanged: Whether the value is the same as before, so that it is no change.
  package mutating func come(_ side: Side, isOwn: Bool, isUnchanged: Bool = false) -> Bool {
    if isUnchanged, !isOwn, missed != side { return false }
    self.side = side
    if !isOwn { isNotified = true }
    defer { isLooking = true }
    return !isLooking
  }

  /// Begins the next look; nil if nothing has come.
  package mutating func next() -> Look? {
    defer { (side, isNotified) = (nil, false) }
    isLooking = side != nil
    guard let side else { return nil }
    missed = nil
    if isNotified { count = 0 }
    return (side, isNotified)
  }

  /// Whether an own assignment makes the changes of a thread.
  package func areAssigning(on thread: UInt) -> Bool { assigner == thread }

  package mutating func miss(_ side: Side) { missed = side }

  package mutating func willAssign(on thread: UInt) {
    assigner = thread
    count += 1
  }

  package mutating func didAssign(looksAgain: Bool = true) {
    assigner = nil
    if looksAgain, side == nil { side = .source }
  }
}
