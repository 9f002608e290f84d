/// The changes of an observation that wait for an actor, and who delivers them: the protocol of `ChangeQueue`, which guards
/// it with a lock. Each method returns what its caller has to do after releasing the lock.
///
/// An actor, or a queue, takes what waits in turns. A turn delivers what waited when it began, and so does a change that is
/// made on the actor, which comes last. What other threads append meanwhile waits for another turn. So nobody waits for
/// changes that others go on to make.
///
/// A change that a handler makes on the actor while others wait is appended as well, and delivered by the delivery that has
/// called the handler: the stack doesn't grow with what waits.
///
/// A value that is appended is never older than one that was appended or delivered before. Its thread takes a ``ticket``,
/// reads the value, and appends it with the ticket, which fails if the queue has changed in between.
package struct DeliveryQueue<Element> {
  /// A number of the state of the queue.
  package typealias Ticket = UInt

  /// What to do after a change was offered to the queue.
  package enum Step {
    /// Read the value again, with this ticket: the other one is out of date.
    case readAgain(Ticket)
    /// Nothing: somebody else delivers it.
    case leave
    /// Schedule a turn of this priority.
    case schedule(TaskPriority)
    /// Deliver it at once. Call ``didCall()`` afterwards.
    case call
    /// Deliver what ``next()`` returns.
    case deliver
  }

  private enum Delivery {
    /// A change is delivered that didn't have to wait.
    case call
    /// Changes that waited are delivered.
    case turn
  }

  /// What the delivery under way still delivers.
  private var current = Backlog<Element>()
  /// What waits for the next one.
  private var waiting = Backlog<Element>()
  private var delivery = Delivery.turn
  /// The delivery under way, and the calls inside of it.
  private var depth = 0
  /// The highest priority of what waits.
  private var priority: TaskPriority?
  /// The highest priority of the turns that were scheduled and haven't begun.
  private var scheduled: TaskPriority?

  /// The ticket for the value that is read next. It is 0 as long as no change has come.
  package private(set) var ticket: Ticket = 0

  package init() {}

  // MARK: On other threads

  /// Appends a change.
  ///
  /// - Parameter ticket: The ticket with which its value was read; nil if it has none.
  /// - Returns: `readAgain`, `leave`, or `schedule`.
  package mutating func append(_ element: Element, _ ticket: Ticket?, _ priority: TaskPriority) -> Step {
    if let ticket, ticket != self.ticket { return .readAgain(self.ticket) }
    self.ticket += 1
    waiting.append(element)
    self.priority = max(self.priority ?? priority, priority)
    if depth > 0 { return .leave }
    if let scheduled, scheduled >= priority { return .leave }
    scheduled = priority
    return .schedule(priority)
  }

  // MARK: On the actor

  /// Called for a change that is made on the actor.
  ///
  /// - Parameter isInCall: Whether a handler is being called of which the queue doesn't know.
  /// - Returns: `call` if nothing waits; otherwise `readAgain`, and the change is to be passed to ``insert(_:_:_:)``.
  package mutating func arrive(isInCall: Bool) -> Step {
    if depth == 0, isInCall { begin(.call) }
    guard current.isEmpty, waiting.isEmpty else { return .readAgain(ticket) }
    ticket += 1
    if depth == 0 { begin(.call) } else { depth += 1 }
    return .call
  }

  /// Puts a change that is made on the actor behind those that wait.
  ///
  /// - Returns: `readAgain`, `leave`, or `deliver`.
  package mutating func insert(_ element: Element, _ ticket: Ticket, _ priority: TaskPriority) -> Step {
    guard ticket == self.ticket else { return .readAgain(self.ticket) }
    self.ticket += 1
    if depth == 0 {
      begin(.turn)
      takeWaiting()
      current.append(element)
      return .deliver
    }
    // What has come while a single change is delivered waited when its handler made this one.
    if delivery == .call, current.isEmpty { takeWaiting() }
    if waiting.isEmpty {
      current.append(element)
    } else {
      waiting.append(element)
      self.priority = max(self.priority ?? priority, priority)
    }
    return .leave
  }

  /// Called when a change was delivered at once.
  ///
  /// - Returns: `deliver` if its handler has made changes that wait; otherwise `leave` or `schedule`.
  package mutating func didCall() -> Step {
    if depth > 1 {
      depth -= 1
      return .leave
    }
    if !current.isEmpty {
      delivery = .turn
      return .deliver
    }
    depth = 0
    return afterDelivery()
  }

  // MARK: Delivering

  /// Begins a turn.
  ///
  /// - Returns: `deliver`, or `leave` if nothing waits, or if a delivery is under way.
  package mutating func beginTurn() -> Step {
    scheduled = nil
    guard depth == 0, !waiting.isEmpty else { return .leave }
    begin(.turn)
    takeWaiting()
    return .deliver
  }

  /// The next change of the delivery under way. If there is none, the delivery has ended, and the step is `leave` or
  /// `schedule`.
  package mutating func next() -> (Element?, Step) {
    if let element = current.popFirst() { return (element, .deliver) }
    depth = 0
    return (nil, afterDelivery())
  }

  /// Takes everything out, because nobody is there to take it. It is to be released outside the lock.
  package mutating func removeAll() -> some Any {
    defer { self = DeliveryQueue() }
    return (current, waiting)
  }

  private mutating func begin(_ delivery: Delivery) {
    depth = 1
    self.delivery = delivery
  }

  private mutating func takeWaiting() {
    current = waiting
    waiting = Backlog()
    priority = nil
  }

  private mutating func afterDelivery() -> Step {
    guard !waiting.isEmpty, scheduled == nil else { return .leave }
    let priority = priority ?? .medium
    scheduled = priority
    return .schedule(priority)
  }
}

/// Elements in the order in which they were appended. The memory of those that were taken is given back.
private struct Backlog<Element> {
  /// Elements in small arrays, so that none is copied when more come. Those that were taken are nil.
  private var chunks: [[Element?]] = []
  private var chunk = 0
  private var index = 0

  private static var chunkSize: Int { 64 }

  var isEmpty: Bool { chunks.isEmpty }

  mutating func append(_ element: Element) {
    if chunks.last.map({ $0.count == Self.chunkSize }) ?? true { chunks.append([]) }
    chunks[chunks.count - 1].append(element)
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = chunks[chunk][index]
    chunks[chunk][index] = nil
    index += 1
    guard index == chunks[chunk].count else { return element }
    chunks[chunk] = []
    (chunk, index) = (chunk + 1, 0)
    if chunk == chunks.count { self = Backlog() }
    return element
  }
}
