import CKeyValueObserving

/// The changes of one observation, or of several that began together, on their way to an actor or a sequence, in order.
///
/// What waits for an actor is delivered by a turn of its ``Mailbox``, or by the actor's next change of what is observed, which
/// comes behind it. What a handler changes while others wait is delivered by the delivery that has called it, so that the stack
/// doesn't grow with what waits. For a sequence the thread that appends a change delivers it, unless another one is delivering.
///
/// A value that is appended is never older than one that was appended or delivered before (Interleavings.md has the schedules):
///
/// - That of a property is read with its object's lock, and appended with it.
/// - Any other is read without a lock, and appended if no other was meanwhile. Otherwise it is read once more. If another one is
///   appended again, that was read after this change, and is appended in its place.
/// - What the actor changes is delivered at once if a bit says that nothing waits or is being read.
///
/// - Thread safety: The contents and `hasAppended` are guarded by the lock, which is taken with that of an object, and with which no
///   other one is taken. The bit changes with the lock, and is read without. Only code on the actor uses `calls`,
///   `isPutByActor`, and `latestTurn`.
final class Lane: LockedObject, @unchecked Sendable {
  enum Target {
    case mailbox(Mailbox)
    /// The closure ends the sequence.
    case sequence(end: Box<@Sendable () -> Void>)
  }

  private let target: Target
  /// Whether changes of several observations pass through it.
  private let isShared: Bool
  /// How many changes are being delivered to handlers at once, one inside of the other.
  @exclusivity(unchecked) private var calls: UInt16 = 0
  /// Whether the actor has put the lane into the mailbox since the latest turn.
  @exclusivity(unchecked) private var isPutByActor = false
  @exclusivity(unchecked) private var latestTurn: UInt32 = 0
  /// Whether something was appended ever.
  @exclusivity(unchecked) private var hasAppended = false
  /// nil if nothing waits, is being read, or is being delivered from here.
  @exclusivity(unchecked) private var contents: Contents?

  init(_ target: Target, isShared: Bool = false) { (self.target, self.isShared) = (target, isShared) }

  private var mailbox: Mailbox? { if case .mailbox(let mailbox) = target { mailbox } else { nil } }

  private var isForSequence: Bool { if case .sequence = target { true } else { false } }

  /// Whether something waits or is being read.
  @inline(__always)
  private var isOccupied: Bool { sharedNumber != 0 }

  override func checkInvariants() {
    precondition(isOccupied == (contents?.isOccupied == true), "The bit is wrong.")
    precondition(contents.map { $0.isNeeded && $0.released.isEmpty } ?? true, "Contents are left.")
  }

  // MARK: Changes

  /// Delivers a change that is made on the actor before this returns, or after what waits. A fence or a lock has ordered the change
  /// before the bit.
  @inline(__always)
  func deliverOnActor(_ change: borrowing KeyValueChange, of info: KVOInfo) {
    if isOccupied { return append(change, of: info, isOnActor: true) }
    calls += 1
    guarded {
      info.handle(change)
    } unwound: {
      calls -= 1
    }
    calls -= 1
    if calls == 0, isOccupied { didCall() }
  }

  /// Appends a change of an observation.
  @inline(never)
  func append(_ change: borrowing KeyValueChange, of info: KVOInfo, isOnActor: Bool = false) {
    let isLast = change.object.map { isInDeinit($0) } == true
    let readsNew = change.attributes.kind == .setting && !change.attributes.isPrior && info.wantsNew
    // The values of a sequence go without the object, and so do those of an object in its deinit, which can't be retained.
    let stored = StoredChange(
      change, retainsObject: !isLast && !isForSequence, keepsNew: !readsNew)
    let endings = isLast ? info.store.endings : nil
    // A change of the only key overtakes the initial notification of a sequence. One of several keys may have been made before the
    // observation had come to the others.
    let mayBeLate = change.attributes.isInitial && !info.followsPath && isForSequence
    func entry(_ value: ChangedValue?) -> Entry? {
      if mayBeLate, hasAppended { return nil }
      hasAppended = true
      return .change(value.map(stored.with) ?? stored, isShared ? info : nil, endings: endings)
    }
    if readsNew {
      appendValue(of: change, info, isOnActor: isOnActor, entry)
    } else {
      update { contents in
        contents.didAppend(nil, of: self.key(of: info))
        return entry(nil).flatMap { insert($0, of: info, contents, isOnActor: isOnActor) }
      }
    }
  }

  /// Makes one call wait for a change, and for all that are made until it begins.
  @inline(never)
  func coalesce(_ change: borrowing KeyValueChange, of info: SelectiveInfo) {
    let isOnActor = info.destination.isCurrent
    if info.wantsNew, info.property == nil {
      let old = info.oldValue
      appendValue(of: change, info, isOnActor: isOnActor) { .call($0, old: old) }
    } else {
      // The call reads what is there then, or nothing. It clears the bit before.
      kvo_fence()
      if !isOccupied {
        let old = info.oldValue
        update { insert(.call(nil, old: old), of: info, $0, isOnActor: isOnActor) }
      }
    }
    if isOnActor { putByActor() }
  }

  /// Reads the initial value of a coalesced observation, before or after which no older one is appended, and drops what waits.
  func initialValue(of change: borrowing KeyValueChange, _ info: KVOInfo) -> ChangedValue? {
    let key = self.key(of: info)
    while true {
      var (count, isDone) = (0, false)
      update { contents in
        contents.readers += 1
        count = contents.reads[key]?.count ?? 0
        return nil
      }
      kvo_fence()
      let value = info.newValue(of: change)
      update { contents in
        isDone = value == nil || contents.reads[key]?.count ?? 0 == count
        contents.endReading()
        if isDone {
          contents.releaseWaiting()
          contents.didAppend(value, of: key)
        }
        return nil
      }
      if isDone { return value }
    }
  }

  /// Puts the lane into the mailbox, once for each turn. Another thread may have occupied it, and not have put it there yet, but what the
  /// actor has changed is delivered by `deliverNow()`.
  private func putByActor() {
    guard !isPutByActor else { return }
    isPutByActor = true
    mailbox?.put(self, Task<Never, Never>.currentPriority.rawValue)
  }

  /// Reads the value of a change, and appends what `entry` makes of it, which is called with the lock.
  private func appendValue(
    of change: borrowing KeyValueChange, _ info: KVOInfo, isOnActor: Bool, _ entry: (ChangedValue) -> Entry?
  ) {
    if let (home, field) = info.property {
      var (reading, left) = (Reading.ended, Left())
      home.withLock {
        reading = home.read(field)
        guard case .value(let current) = reading else { return }
        let value = ChangedValue(current)
        left = withLock {
          locked { contents in
            contents.didAppend(value, of: self.key(of: info))
            return entry(value).flatMap { insert($0, of: info, contents, isOnActor: isOnActor) }
          }
        }
      }
      if case .value = reading { return perform(left) }
      // Another thread mutates the property in place, and notifies when it ends; or the observation has ended.
      _ = info.value(reading, old: change.attributes.isInitial ? nil : change.old.kept)
      return
    }
    let key = self.key(of: info)
    var count = 0
    update { contents in
      contents.readers += 1
      count = contents.reads[key]?.count ?? 0
      return nil
    }
    kvo_fence()
    var (isDone, isAgain) = (false, false)
    while !isDone, let value = info.newValue(of: change) {
      update { contents in
        let latest = contents.reads[key] ?? Read()
        // The values of a list may be those of other key paths.
        isDone = latest.count == count || (isAgain && latest.newest.isRequested && info.path.list == nil)
        guard isDone else {
          count = latest.count
          return nil
        }
        contents.endReading()
        if latest.count == count { contents.didAppend(value, of: key) }
        return entry(latest.count == count ? value : latest.newest).flatMap {
          insert($0, of: info, contents, isOnActor: isOnActor)
        }
      }
      isAgain = true
    }
    if isDone { return }
    // The change doesn't affect the observation any longer.
    update { contents in
      contents.endReading()
      return nil
    }
  }

  private func key(of info: KVOInfo) -> ObjectIdentifier { isShared ? ObjectIdentifier(info) : ObjectIdentifier(self) }

  /// Appends an entry, or puts it into the delivery that is under way on the actor. Called with the lock.
  private func insert(_ entry: Entry, of info: KVOInfo, _ contents: Contents, isOnActor: Bool) -> Action? {
    switch entry {
    case .change, .call:
      guard !info.hasEnded else {
        contents.released.append(entry)
        return nil
      }
    case .end: break
    }
    // A change may be on its way to an observation that was replaced since.
    if !isShared, contents.receiver.map({ $0.rank < info.rank }) ?? true {
      contents.releaseReceiver()
      contents.receiver = info
    }
    var entry = entry
    if case .call(let value, let old) = entry {
      while let former = contents.waiting.popFirst() {
        contents.released.append(former)
        // The values of a list may be those of other key paths.
        guard case .call(let formerValue, _) = former,
          let values = ListedValues.added(value?.unwrapped, to: formerValue?.unwrapped)
        else { continue }
        entry = .call(.value(values), old: old)
      }
    }
    if case .change = entry, isOnActor { return contents.insertOnActor(entry, isInCall: calls > 0 || info.isCalling) }
    contents.waiting.append(entry)
    if isOnActor { return nil }
    if isForSequence { return contents.beginDelivery() ? .deliver : nil }
    return contents.makeReady()
  }

  // MARK: Ends

  /// Drops what waits for an observation that has ended, unless another one has replaced it; or for all, after which the mailbox may have
  /// the lane or not.
  func removeAll(of info: KVOInfo? = nil) {
    updateIfThere { contents in
      if isShared, let info {
        contents.released += contents.waiting.removeAll {
          if case .change(_, let other, _) = $0 { other === info } else { false }
        }
      } else if info == nil || contents.receiver === info {
        contents.releaseWaiting()
        contents.releaseReceiver()
        if info == nil { contents.ready = nil }
      }
      return nil
    }
  }

  /// Makes an observation the one that receives what waits for another one, which it replaces.
  func pass(to info: KVOInfo) {
    updateIfThere { contents in
      contents.releaseReceiver()
      contents.receiver = info
      return nil
    }
  }

  /// Ends a sequence, once it has got what was appended.
  func appendEnd(of info: KVOInfo) {
    update { insert(.end, of: info, $0, isOnActor: false) }
  }

  // MARK: Delivering

  /// Called when a handler was called outside of a delivery, which may have made changes that wait.
  @inline(never)
  func didCall() { updateIfThere { $0.didCall() } }

  /// Delivers what waits, unless a delivery is under way, which it gets another turn after. Returns the number of calls.
  ///
  /// - Parameter number: That of a turn of an actor. The mailbox may have the lane twice; what it has got since the turn has visited it
  ///   waits for the next one.
  func takeTurn(_ number: UInt32 = 0) -> Int {
    if number > 0 {
      isPutByActor = false
      guard number != latestTurn else {
        updateIfThere { $0.putAgain() }
        return 0
      }
      latestTurn = number
    }
    var begins = false
    updateIfThere { contents in
      contents.ready = nil
      begins = calls == 0 && contents.receiver?.isCalling != true && contents.beginDelivery()
      return nil
    }
    return begins ? deliver() : 0
  }

  private func deliver() -> Int {
    var count = 0
    while true {
      var next: (entry: Entry, receiver: KVOInfo?)?
      updateIfThere { contents in
        next = contents.current.popFirst().map { ($0, contents.receiver) }
        return next == nil ? contents.endDelivery(isForSequence: isForSequence) : nil
      }
      guard let next else { return count }
      guarded {
        deliver(next.entry, to: next.receiver)
      } unwound: {
        updateIfThere { $0.interruptDelivery() }
      }
      count += 1
    }
  }

  private func deliver(_ entry: Entry, to receiver: KVOInfo?) {
    requireNoLock("a change is delivered, or a sequence ends")
    switch entry {
    case .change(let change, let info, let endings):
      guard let info = info ?? receiver else { return }
      // A sequence gets what was appended before its end.
      let isCalled =
        if let endings { !info.isDismissed && info.store.endings == endings } else { !info.hasEnded }
      if isCalled || isForSequence { change.lend(of: info) { info.call($0) } }
    case .call(let value, _):
      // Orders the bit, which was cleared, before what the call reads.
      kvo_fence()
      (receiver as? SelectiveInfo)?.makeWaitingCall(value)
    case .end:
      if case .sequence(let end) = target { end.value() }
    }
  }

  // MARK: The lock

  /// What to do after the lock is released, and what to release then.
  private struct Left {
    var action: Action?
    var released: [Any] = []
    var contents: Contents?
  }

  private enum Action {
    /// Put the lane into the mailbox, which has it already unless it is new.
    case put(isNew: Bool, UInt8)
    case deliver
    /// Deliver the rest on another thread.
    case deliverElsewhere
  }

  private func update(_ body: (Contents) -> Action?) { perform(withLock { locked(body) }) }

  /// The same, if something waits, is being read, or is being delivered.
  private func updateIfThere(_ body: (Contents) -> Action?) {
    perform(withLock { contents == nil ? Left() : locked(body) })
  }

  /// Calls `body` with the contents, and sets the bit. Called with the lock.
  private func locked(_ body: (Contents) -> Action?) -> Left {
    let contents = contents ?? Contents()
    let action = body(contents)
    sharedNumber = contents.isOccupied ? 1 : 0
    self.contents = contents.isNeeded ? contents : nil
    defer { contents.released = [] }
    return Left(action: action, released: contents.released, contents: contents)
  }

  private func perform(_ left: Left) {
    switch left.action {
    case .put(let isNew, let priority): mailbox?.put(isNew ? self : nil, priority)
    case .deliver: _ = deliver()
    case .deliverElsewhere: Task.detached(priority: Task.currentPriority) { _ = self.takeTurn() }
    case nil: break
    }
  }

  // MARK: State

  // Indirect, so that it is copied by reference.
  private indirect enum Entry {
    /// A change, with its observation if the lane has several. One that the object has made in its deinit isn't silenced by the end
    /// of the object, but by its user's: the number says how often the controller had ended all observations.
    case change(StoredChange, KVOInfo?, endings: Int?)
    /// The call that is made for several changes, with their newest value, unless it reads that itself, and with what it retains.
    case call(ChangedValue?, old: ChangedValue)
    /// The end of a sequence.
    case end
  }

  /// How often something was appended for an observation while values are being read, and the latest value.
  private struct Read {
    var (count, newest) = (0, ChangedValue.notRequested)
  }

  /// The state that the lock guards. The lock excludes what the compiler would otherwise check at run time.
  private final class Contents {
    /// What waits for the next delivery, and what the one under way still delivers.
    @exclusivity(unchecked) var waiting = Backlog<Entry>()
    @exclusivity(unchecked) var current = Backlog<Entry>()
    @exclusivity(unchecked) var isDelivering = false
    /// The priority for which the mailbox has the lane, if it has.
    @exclusivity(unchecked) var ready: UInt8?
    /// The observation, or the one that has replaced it, if the lane has only one.
    @exclusivity(unchecked) var receiver: KVOInfo?
    /// How many values are being read, and what was appended meanwhile.
    @exclusivity(unchecked) var readers = 0
    @exclusivity(unchecked) var reads: [ObjectIdentifier: Read] = [:]
    /// What is to be released after the lock.
    @exclusivity(unchecked) var released: [Any] = []

    deinit { requireNoLock("what waits is released") }

    var isOccupied: Bool { !waiting.isEmpty || !current.isEmpty || readers > 0 }

    var isNeeded: Bool { isOccupied || isDelivering || ready != nil }

    /// Takes note that something was appended, for those that are reading a value meanwhile.
    func didAppend(_ value: ChangedValue?, of key: ObjectIdentifier) {
      guard readers > 0 else { return }
      let former = reads[key] ?? Read()
      released.append(former)
      reads[key] = Read(count: former.count + 1, newest: value ?? .notRequested)
    }

    func endReading() {
      readers -= 1
      guard readers == 0, !reads.isEmpty else { return }
      released.append(reads)
      reads = [:]
    }

    func releaseWaiting() { if !waiting.isEmpty { released.append(waiting.takeAll()) } }

    func releaseReceiver() {
      if let receiver { released.append(receiver) }
      receiver = nil
    }

    func makeReady() -> Action? {
      let priority = Task<Never, Never>.currentPriority.rawValue
      if let ready, ready >= priority { return nil }
      defer { ready = priority }
      return .put(isNew: ready == nil, priority)
    }

    func putAgain() -> Action? {
      ready = nil
      return waiting.isEmpty ? nil : makeReady()
    }

    // MARK: On the actor

    /// Begins to deliver what waits, unless it is being delivered.
    func beginDelivery() -> Bool {
      guard !isDelivering, !waiting.isEmpty else { return false }
      isDelivering = true
      takeWaiting()
      return true
    }

    private func takeWaiting() { current = waiting.takeAll() }

    /// Puts a change that is made on the actor behind those that wait, and begins to deliver them, unless it is made by a handler, after
    /// which they are delivered.
    func insertOnActor(_ entry: Entry, isInCall: Bool) -> Action? {
      // What has come while a single change is delivered waited when its handler made this one.
      if !isDelivering, current.isEmpty { takeWaiting() }
      if waiting.isEmpty { current.append(entry) } else { waiting.append(entry) }
      guard !isDelivering, !isInCall else { return nil }
      isDelivering = true
      return .deliver
    }

    func didCall() -> Action? {
      guard !isDelivering else { return nil }
      if current.isEmpty { return waiting.isEmpty ? nil : makeReady() }
      isDelivering = true
      return .deliver
    }

    func endDelivery(isForSequence: Bool) -> Action? {
      isDelivering = false
      guard !waiting.isEmpty else { return nil }
      // A thread that delivers to a sequence isn't kept by those that go on to make changes.
      return isForSequence ? .deliverElsewhere : makeReady()
    }

    /// Ends a delivery whose handler has raised an exception that a caller catches, on Apple platforms.
    func interruptDelivery() -> Action? {
      var rest = current.takeAll()
      while let entry = waiting.popFirst() { rest.append(entry) }
      waiting = rest
      return endDelivery(isForSequence: false)
    }
  }
}
