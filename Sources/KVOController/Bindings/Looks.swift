/// When a binding looks at its properties: one look at a time, and again until nothing has come. A value without a lock.
package struct Looks {
  /// The number of looks in a row that the own assignments alone may cause.
  package static var most: Int { 100_000 }

  private var isLooking = false
  /// The thread on which an own assignment is under way.
  private var assigner: UInt?
  /// Whether something has come since the latest look began, and whether that wasn't just what an own assignment has caused.
  private var (hasCome, isNotified) = (false, false)
  /// The number of looks since the latest notification.
  package private(set) var count = 0

  package init() {}

  /// Takes note of a notification. Returns whether the caller is to look, as long as ``next()`` returns something.
  package mutating func begin(on thread: UInt) -> Bool {
    hasCome = true
    if assigner != thread { isNotified = true }
    defer { isLooking = true }
    return !isLooking
  }

  /// Begins the next look. Returns whether something else than an own assignment has caused it; nil if nothing has come.
  package mutating func next() -> Bool? {
    defer { (hasCome, isNotified) = (false, false) }
    isLooking = hasCome
    guard hasCome else { return nil }
    count = isNotified ? 0 : count + 1
    return isNotified
  }

  package mutating func willAssign(on thread: UInt) { assigner = thread }
  package mutating func didAssign() { (assigner, hasCome) = (nil, true) }
}

/// What two properties that are bound to each other had, by which it is told which one has changed. A value without a lock.
package struct Agreement<Value: Equatable> {
  package enum Side { case source, target }

  private typealias Values = (source: RememberedValue, target: RememberedValue)

  /// The values by which a change is told; nil before it begins.
  private var remembered: Values?
  /// The object that has the source, if that isn't the one at which its path begins.
  private var owner: Weak<AnyObject>?
  /// The values of the two latest looks, the latest last.
  private var former: (Values?, Values?)
  /// The side that the latest look has assigned.
  private var assigned: Side?
  /// The number of answers in a row, after 100 of which the two can't agree.
  private var answers = 0

  package init() {}

  /// Looks at the values of both sides. Returns what to assign to which side, if anything.
  package mutating func look(_ source: Value, _ target: Value, of owner: AnyObject? = nil) -> (
    value: Value, side: Side
  )? {
    func have(_ values: Values?) -> (source: Bool, target: Bool)? {
      values.map { ($0.source.hasValue(source), $0.target.hasValue(target)) }
    }
    let had = self.owner?.object === owner ? have(remembered) : nil
    if had == nil { former = (nil, nil) }
    let beforeLast = former.0
    let values = (RememberedValue(source), RememberedValue(target))
    let changed: Side? = had?.source != true ? .source : had?.target != true ? .target : nil
    let isAnswer = had != nil && had?.source != had?.target && assigned == changed
    answers = isAnswer ? answers + 1 : 0
    (former, assigned, self.owner) = ((former.1, values), nil, owner.map { Weak<AnyObject>($0) })
    guard let changed else { return nil }
    if isAnswer, answers > 100 || have(beforeLast).map({ $0.source && $0.target }) == true {
      (remembered, answers) = (values, 0)
      return nil
    }
    remembered = changed == .source ? (values.0, values.0) : (values.1, values.1)
    if isSame(source, target) == true { return nil }
    assigned = changed == .source ? .target : .source
    return (changed == .source ? source : target, changed == .source ? .target : .source)
  }
}
