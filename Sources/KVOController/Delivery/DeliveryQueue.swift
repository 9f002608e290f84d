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

  /// What to do after a change was passed to the queue.
  package enum Step {
    /// Read the value again: the other one may be out of date.
    case readAgain
    /// Nothing: another delivery takes it.
    case leave
    /// Schedule a turn of this priority.
    case schedule(TaskPriority)
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

  private var unread = UnreadChanges<Element>()
  package private(set) var hasChanged = false

  package init() {}

  // MARK: On any thread

  /// Appends a change whose value doesn't need to be read. Returns `leave` or `schedule`; on the actor, `leave` or `deliver`.
  package mutating func append(
    _ element: Element, of observation: ObjectIdentifier, isOnActor: Bool, _ priority: TaskPriority
  ) -> Step {
    hasChanged = true
    unread.outdate(observation)
    guard isOnActor else { return append(element, priority) }
    let step = beginDelivery()
    insert(element, priority)
    return step
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

  /// Appends a change whose value was read, and others that share its value.
  ///
  /// - Returns: `readAgain`, at most once if the value doesn't compete with changes that have none; `leave` or `schedule`; on
  ///   the actor, `leave` or `deliver`.
  package mutating func accept(
    _ ticket: Ticket, isOnActor: Bool, _ complete: (inout Element) -> Void
  ) -> Step {
    switch unread.take(ticket) {
    case .outdated: return .readAgain
    case .takenAlong: return isOnActor ? beginDelivery() : .leave
    case .read(let changes):
      hasChanged = true
      var step = isOnActor ? beginDelivery() : .leave
      for var change in changes {
        complete(&change.element)
        if isOnActor, change.number <= ticket {
          insert(change.element, change.priority)
        } else if case .schedule(let priority) = append(change.element, change.priority) {
          step = .schedule(priority)
        }
      }
      return step
    }
  }

  /// Removes a change that isn't delivered. Returns what is to be released outside the lock.
  package mutating func withdraw(_ ticket: Ticket) -> Element? { unread.remove(ticket) }

  private mutating func append(_ element: Element, _ priority: TaskPriority) -> Step {
    wait(element, priority)
    if depth > 0 { return .leave }
    if let scheduled, scheduled >= priority { return .leave }
    scheduled = priority
    return .schedule(priority)
  }

  private mutating func wait(_ element: Element, _ priority: TaskPriority) {
    waiting.append(element)
    self.priority = max(self.priority ?? priority, priority)
  }

  // MARK: On the actor

  /// Called for a change that is made on the actor.
  ///
  /// - Parameter isInCall: Whether a handler is being called of which the queue doesn't know.
  /// - Returns: Whether to deliver it at once, and to call ``didCall()`` afterwards. Otherwise a change waits, or another thread
  ///   reads the value of one, and this one is to be appended.
  package mutating func arrive(of observation: ObjectIdentifier, isInCall: Bool) -> Bool {
    if depth == 0, isInCall { begin(.call) }
    guard current.isEmpty, waiting.isEmpty, !unread.contains(observation) else { return false }
    hasChanged = true
    if depth == 0 { begin(.call) } else { depth += 1 }
    return true
  }

  /// Begins a delivery of what waits, unless one is under way.
  private mutating func beginDelivery() -> Step {
    if depth == 0 {
      begin(.turn)
      takeWaiting()
      return .deliver
    }
    // What has come while a single change is delivered waited when its handler made this one.
    if delivery == .call, current.isEmpty { takeWaiting() }
    return .leave
  }

  /// Puts a change that is made on the actor behind those that wait.
  private mutating func insert(_ element: Element, _ priority: TaskPriority) {
    if waiting.isEmpty { current.append(element) } else { wait(element, priority) }
  }

  /// Called when a change was delivered at once. Returns `deliver` if its handler has made changes that wait; otherwise
  /// `leave` or `schedule`.
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

  /// Begins a turn. Returns `deliver`, or `leave` if nothing waits, or if a delivery is under way.
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
    return (current, waiting, unread)
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

/// Elements in the order in which they were appended.
private struct Backlog<Element> {
  /// Those that were taken are nil until the slice without them moves to other memory.
  private var elements: ArraySlice<Element?> = []

  var isEmpty: Bool { elements.isEmpty }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard let element = elements.first else { return nil }
    elements[elements.startIndex] = nil
    elements.removeFirst()
    if elements.isEmpty { elements = [] }
    return element
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
