/// The changes of an observation that wait for an actor, and who delivers them: the protocol of `ChangeQueue`, which guards
/// it with a lock. Each method returns what its caller has to do after releasing the lock.
///
/// An actor, or a queue, takes what waits in turns. A turn delivers what waited when it began, and so does a change that is
/// made on the actor, which comes last. So nothing waits for changes that other threads go on to make. What a handler changes
/// while others wait is delivered by the delivery that has called it, so that the stack doesn't grow with what waits.
///
/// A value that is appended is never older than one that was appended or delivered before: see ``UnreadChanges``.
package struct DeliveryQueue<Element> {
  /// The number of a change whose value is being read.
  package typealias Ticket = UInt

  /// What to do after a change was appended, or delivered at once.
  package enum Action {
    /// Schedule a turn of this priority.
    case schedule(TaskPriority)
    /// Deliver what ``next()`` returns.
    case deliver
  }

  /// What became of a change whose value was read.
  package enum Acceptance {
    /// Nothing yet: the value is to be read again, because the other one may be out of date.
    case readAgain
    /// It was appended, by this thread or by another one.
    case appended(Action?)
  }

  /// What a delivery goes on with.
  package enum Next {
    case deliver(Element)
    /// Nothing. For what has come meanwhile, a turn of this priority is to be scheduled.
    case end(TaskPriority?)
  }

  private enum State {
    /// Nobody delivers. What waits has a turn that was scheduled.
    case idle
    /// A delivery is under way, with so many calls inside of each other.
    case delivering(Delivery, depth: Int)
  }

  private enum Delivery {
    /// A change is delivered that didn't have to wait.
    case call
    /// Changes that waited are delivered.
    case turn
  }

  private var state = State.idle
  /// The highest priority of the turns that were scheduled and haven't begun.
  private var scheduled: TaskPriority?
  /// What the delivery under way still delivers.
  private var current = Backlog<Element>()
  /// What waits for the next one.
  private var waiting = Backlog<Element>()
  private var unread = UnreadChanges<Element>()
  package private(set) var hasChanged = false

  package init() {}

  // MARK: On any thread

  /// Appends a change whose value doesn't need to be read.
  package mutating func append(
    _ element: Element, of observation: ObjectIdentifier, isOnActor: Bool, _ priority: TaskPriority
  ) -> Action? {
    hasChanged = true
    unread.outdate(observation)
    guard isOnActor else { return append(element, priority) }
    let isDelivery = beginDelivery()
    insert(element, priority)
    return isDelivery ? .deliver : nil
  }

  /// Keeps a change until its value was read. The value is to be read after this call.
  ///
  /// - Parameter isInitial: Whether it is the initial notification, which a value that is as new as its own overtakes.
  /// - Returns: The ticket to pass to ``accept(_:isOnActor:_:)`` or ``withdraw(_:)``.
  package mutating func offer(
    _ element: Element, of observation: ObjectIdentifier, _ priority: TaskPriority, isInitial: Bool = false
  ) -> Ticket {
    unread.add(element, of: observation, priority, isInitial: isInitial)
  }

  /// Appends a change whose value was read, and others that share its value. Returns `readAgain` at most once, if the
  /// value doesn't compete with changes that have none.
  package mutating func accept(
    _ ticket: Ticket, isOnActor: Bool, _ complete: (inout Element) -> Void
  ) -> Acceptance {
    switch unread.take(ticket) {
    case .outdated: return .readAgain
    case .takenAlong: return .appended(isOnActor && beginDelivery() ? .deliver : nil)
    case .read(let changes):
      hasChanged = true
      var action = isOnActor && beginDelivery() ? Action.deliver : nil
      for var change in changes {
        complete(&change.element)
        if isOnActor, change.number <= ticket {
          insert(change.element, change.priority)
        } else if let turn = append(change.element, change.priority) {
          action = turn
        }
      }
      return .appended(action)
    }
  }

  /// Removes a change that isn't delivered. Returns what is to be released outside the lock.
  package mutating func withdraw(_ ticket: Ticket) -> Element? { unread.remove(ticket) }

  /// Makes a change wait in place of all that waits, whose value was read, or doesn't need to be.
  ///
  /// - Parameter isNeeded: Whether it waits even if it replaces nothing.
  /// - Returns: What is to be released outside the lock, and the turn to schedule, if it needs one.
  package mutating func coalesce(
    _ element: Element, of observation: ObjectIdentifier, _ priority: TaskPriority, isNeeded: Bool = true
  ) -> (released: [Element], action: Action?) {
    unread.outdate(observation)
    guard isNeeded || hasWaiting else { return ([], nil) }
    let former = waiting.removeAll()
    return (former, append(element, priority))
  }

  /// The same for a change whose value was read. Returns nil if the value is to be read again.
  package mutating func coalesce(
    _ ticket: Ticket, _ complete: (inout Element) -> Void
  ) -> (released: [Element], action: Action?)? {
    switch unread.take(ticket) {
    case .outdated: return nil
    case .takenAlong: return ([], nil)
    case .read(var changes):
      guard var newest = changes.popLast() else { return ([], nil) }
      complete(&newest.element)
      let former = waiting.removeAll()
      let priority = changes.reduce(newest.priority) { max($0, $1.priority) }
      return (changes.map(\.element) + former, append(newest.element, priority))
    }
  }

  package var hasWaiting: Bool { !waiting.isEmpty }

  /// Returns the turn to schedule, if it needs one. What comes during a delivery needs none before its end.
  private mutating func append(_ element: Element, _ priority: TaskPriority) -> Action? {
    waiting.append(element, priority)
    guard case .idle = state, scheduled.map({ $0 < priority }) ?? true else { return nil }
    scheduled = priority
    return .schedule(priority)
  }

  // MARK: On the actor

  /// Called for a change that is made on the actor.
  ///
  /// - Parameter isInCall: Whether a handler is being called of which the queue doesn't know.
  /// - Returns: Whether to deliver it at once, and to call ``didCall()`` afterwards. Otherwise a change waits, or another thread
  ///   reads the value of one, and this one is to be appended.
  package mutating func arrive(of observation: ObjectIdentifier, isInCall: Bool) -> Bool {
    if case .idle = state, isInCall { begin(.call) }
    guard current.isEmpty, waiting.isEmpty, !unread.contains(observation) else { return false }
    hasChanged = true
    begin(.call)
    return true
  }

  /// Begins a delivery of what waits, unless one is under way.
  private mutating func beginDelivery() -> Bool {
    switch state {
    case .idle:
      begin(.turn)
      takeWaiting()
      return true
    // What has come while a single change is delivered waited when its handler made this one.
    case .delivering(.call, _) where current.isEmpty: takeWaiting()
    case .delivering: break
    }
    return false
  }

  /// Puts a change that is made on the actor behind those that wait.
  private mutating func insert(_ element: Element, _ priority: TaskPriority) {
    if waiting.isEmpty { current.append(element, priority) } else { waiting.append(element, priority) }
  }

  /// Called when a change was delivered at once, whose handler may have made changes that wait.
  package mutating func didCall() -> Action? {
    switch state {
    case .delivering(let delivery, let depth) where depth > 1:
      state = .delivering(delivery, depth: depth - 1)
      return nil
    case .delivering(_, let depth) where !current.isEmpty:
      state = .delivering(.turn, depth: depth)
      return .deliver
    case .delivering, .idle: return endDelivery().map(Action.schedule)
    }
  }

  // MARK: Delivering

  /// Begins a turn, which delivers what ``next()`` returns. Returns false if nothing waits, or if a delivery is under way.
  ///
  /// - Parameter isScheduled: Whether it is the turn that was scheduled.
  package mutating func beginTurn(isScheduled: Bool = true) -> Bool {
    if isScheduled { scheduled = nil }
    guard case .idle = state, hasWaiting else { return false }
    return beginDelivery()
  }

  /// The next change of the delivery under way. If there is none, the delivery has ended.
  package mutating func next() -> Next {
    if let element = current.popFirst() { return .deliver(element) }
    return .end(endDelivery())
  }

  /// Takes everything out, because nobody is there to take it. It is to be released outside the lock.
  package mutating func removeAll() -> some Any {
    defer { self = DeliveryQueue() }
    return (current, waiting, unread)
  }

  /// Begins a delivery, or a call inside of the one under way.
  private mutating func begin(_ delivery: Delivery) {
    switch state {
    case .idle: state = .delivering(delivery, depth: 1)
    case .delivering(let present, let depth): state = .delivering(present, depth: depth + 1)
    }
  }

  private mutating func takeWaiting() { (current, waiting) = (waiting, Backlog()) }

  /// Returns the priority of the turn to schedule, if something waits without one.
  private mutating func endDelivery() -> TaskPriority? {
    guard case .delivering = state else { return nil }
    state = .idle
    guard scheduled == nil else { return nil }
    scheduled = waiting.priority
    return scheduled
  }
}

/// Elements in the order in which they were appended.
private struct Backlog<Element> {
  /// Those that were taken are nil until the slice without them moves to other memory.
  private var elements: ArraySlice<Element?> = []
  /// The highest priority of those that were appended.
  private(set) var priority: TaskPriority?

  var isEmpty: Bool { elements.isEmpty }

  mutating func append(_ element: Element, _ priority: TaskPriority) {
    elements.append(element)
    self.priority = max(self.priority ?? priority, priority)
  }

  mutating func popFirst() -> Element? {
    guard let element = elements.first else { return nil }
    elements[elements.startIndex] = nil
    elements.removeFirst()
    if elements.isEmpty { elements = [] }
    return element
  }

  mutating func removeAll() -> [Element] {
    defer { elements = [] }
    return elements.compactMap { $0 }
  }
}

/// Changes whose new values are being read, each by the thread that makes it, in the order in which they came.
///
/// Several threads may read at the same time, and the last of them need not have the newest value. So the first one that is
/// ready makes the values of the others outdated. It takes along all changes that came before it began to read, because its
/// value is as new as theirs. Those that came later are read again. The first one that is ready then began to read after
/// all of them came. So a value is read at most twice, no matter how many threads there are, and no thread waits.
struct UnreadChanges<Element> {
  struct Entry {
    let number: UInt
    fileprivate let observation: ObjectIdentifier
    var element: Element
    let priority: TaskPriority
    /// Whether it is the initial notification, which isn't needed if a change is delivered with a value as new.
    fileprivate let isInitial: Bool
    /// The latest change that had come when the value began to be read.
    fileprivate var latest: UInt
    fileprivate var isOutdated = false
  }

  enum Result {
    /// Another change was taken meanwhile, whose value may be newer.
    case outdated
    /// The thread of another change has taken it along.
    case takenAlong
    /// These changes have the value that was read.
    case read([Entry])
  }

  private var entries: [Entry] = []
  private var latest: UInt = 0

  /// Adds a change whose value is about to be read. Returns its number.
  mutating func add(
    _ element: Element, of observation: ObjectIdentifier, _ priority: TaskPriority, isInitial: Bool
  ) -> UInt {
    latest += 1
    entries.append(
      Entry(
        number: latest, observation: observation, element: element, priority: priority, isInitial: isInitial,
        latest: latest))
    return latest
  }

  /// Takes the change whose value was read, and all that share it, in order. If it is outdated, its value is about to be read
  /// again.
  mutating func take(_ number: UInt) -> Result {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return .takenAlong }
    guard !entries[index].isOutdated else {
      entries[index].isOutdated = false
      entries[index].latest = latest
      return .outdated
    }
    let (observation, last) = (entries[index].observation, entries[index].latest)
    var read: [Entry] = []
    entries.removeAll { entry in
      guard entry.observation == observation, entry.number <= last else { return false }
      read.append(entry)
      return true
    }
    // The initial notification was overtaken. It isn't released here, because its thread retains what it refers to.
    if read.count > 1 { read.removeAll(where: \.isInitial) }
    outdate(observation)
    return .read(read)
  }

  /// Removes a change that isn't delivered. Returns what is to be released outside the lock.
  mutating func remove(_ number: UInt) -> Element? {
    entries.firstIndex { $0.number == number }.map { entries.remove(at: $0).element }
  }

  /// Makes the values that are being read for an observation outdated, because a change with another one was taken.
  mutating func outdate(_ observation: ObjectIdentifier) {
    for index in entries.indices where entries[index].observation == observation { entries[index].isOutdated = true }
  }

  func contains(_ observation: ObjectIdentifier) -> Bool { entries.contains { $0.observation == observation } }
}
