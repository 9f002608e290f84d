/// The observation of a key path of each element of a collection, by a controller of its own.
///
/// The observation of the collection retains it, and calls ``receive(_:)`` on the thread that makes the change. With that
/// observation it ends, and so do those of the elements.
///
/// - Thread safety: The state is guarded by the lock, which is never held while foreign code runs.
final class ElementsObservation<Element: KeyValueObservable>: @unchecked Sendable {
  private let elements: (ChangedValue) -> [Element]
  /// Whether the indexes of changes are those of the elements.
  private let hasIndexes: Bool
  /// Begins the observation of an element, which asks for each change whether the element belongs to the collection.
  private let observe: (_ element: Element, _ belongs: @escaping () -> Bool) -> KVOInfo
  private let state = LockedState(ElementsState())

  init(
    _ elements: @escaping (ChangedValue) -> [Element], hasIndexes: Bool,
    _ observe: @escaping (_ element: Element, _ belongs: @escaping () -> Bool) -> KVOInfo
  ) {
    self.elements = elements
    self.hasIndexes = hasIndexes
    self.observe = observe
  }

  // MARK: The collection

  /// Receives the initial notification of the collection, and those before and after each change.
  func receive(_ change: borrowing KeyValueChange) {
    guard !change.attributes.isPrior else { return state.withLock { $0.changes.begin(on: CurrentThread.identity) } }
    let isInitial = change.attributes.isInitial
    let (reading, isOnlyChange) = state.withLock { state in
      let isOnlyChange = isInitial ? false : state.changes.end(on: CurrentThread.identity)
      return (state.changes.beginReading(), isOnlyChange)
    }
    let info = change.info
    synchronize(KVOObservation(info), reading, hint: isOnlyChange && hasIndexes ? Self.hint(change) : nil) {
      info.newValue(of: change)
    }
  }

  /// The positions of a change in an array, if they are successive.
  private static func hint(_ change: borrowing KeyValueChange) -> (range: Range<Int>, removed: Int)? {
    guard let ranges = change.indexes?.rangeView, ranges.count == 1, let range = ranges.first else {
      return nil
    }
    switch change.attributes.kind {
    case .insertion: return (range, 0)
    case .removal: return (range.lowerBound..<range.lowerBound, range.count)
    case .replacement: return (range, range.count)
    default: return nil
    }
  }

  /// Adopts the present elements: ends the observations of those that left, and begins those of the ones that came.
  ///
  /// A value that another thread has adopted meanwhile contains the change, or this one is read again.
  private func synchronize(
    _ collection: KVOObservation, _ reading: CollectionChanges.Reading, hint: (range: Range<Int>, removed: Int)?,
    _ read: () -> ChangedValue?
  ) {
    var (reading, hint) = (reading, hint)
    while let elements = read().map(elements) {
      let (outcome, difference) = state.withLock {
        state -> (CollectionChanges.Outcome, ElementTable<ElementMembership>.Difference?) in
        let outcome = state.changes.endReading(&reading)
        guard case .adopt(let isNext) = outcome else { return (outcome, nil) }
        let hint = isNext ? hint : nil
        let difference = elements.withIdentities { state.table.update(to: $0, hint: hint, ElementMembership.init) }
        for membership in difference.left { membership.hasEnded = true }
        return (outcome, difference)
      }
      hint = nil
      if outcome == .isContained { return }
      guard let difference else { continue }
      for membership in difference.left { state.withLock { _ in membership.token }?.invalidate() }
      for (position, membership) in difference.came { begin(elements[position], membership, of: collection) }
      return
    }
  }

  // MARK: The elements

  private func begin(_ element: Element, _ membership: ElementMembership, of collection: KVOObservation) {
    // A handler or another thread may have removed it meanwhile, or ended everything.
    guard !collection.hasEnded, state.withLock({ _ in !membership.hasEnded }) else { return }
    let info = observe(element) { [weak self] in self?.admits(membership, of: collection) == true }
    let token = KVOObservation(info)
    let hasEnded = state.withLock { _ in
      membership.token = token
      return membership.hasEnded
    }
    if hasEnded { token.invalidate() }
  }

  /// Whether an element belongs to the collection.
  ///
  /// During a change of the collection another observer may be called first, and may change an element that has left.
  private func admits(_ membership: ElementMembership, of collection: KVOObservation) -> Bool {
    guard !collection.hasEnded else { return false }
    let reading = state.withLock { state -> CollectionChanges.Reading? in
      guard state.changes.areUnderWay(on: CurrentThread.identity), !membership.hasEnded else { return nil }
      state.changes.takeTurn()
      return state.changes.beginReading()
    }
    if let reading { synchronize(collection, reading, hint: nil) { collection.currentValue } }
    return state.withLock { _ in !membership.hasEnded }
  }
}

// Not nested in the generic class: the compiler specializes the code that uses them.

/// The handler of the changes of elements. A compiler of Swift 6.2 with assertions doesn't know it again as a closure, when it
/// specializes the initializer of the class.
struct ElementsHandler {
  let call: KVOInfo.Handler
}

/// The membership of one element, which the lock of the observation guards.
private final class ElementMembership {
  var token: KVOObservation?
  var hasEnded = false
}

private struct ElementsState {
  var table = ElementTable<ElementMembership>()
  var changes = CollectionChanges()
}

extension KVOObserver where Self: KeyValueObservable {
  /// - Parameter hasIndexes: Whether the indexes of changes are those of the elements that `all` returns.
  @usableFromInline
  func beginObservation<Object: KeyValueObservable, Elements, Element: KeyValueObservable, Value>(
    of object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Element, Value>,
    _ options: NSKeyValueObservingOptions, _ isolation: (any Actor)?, _ site: CallSite,
    hasIndexes: Bool = true, all: @escaping (Elements) -> [Element],
    _ handler: @escaping (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void
  ) -> KVOObservation {
    let path = ObservedPath.resolved(elements, of: object, site)
    let store = observersController.store
    let controller = KVOController(observer: store.observer.object, retainObserved: true)
    let destination = Destination(isolation)
    let queue = destination.isElsewhere ? ChangeQueue(destination, isShared: true) : nil
    let handler = ElementsHandler(call: handler)
    let observation = ElementsObservation<Element>(
      { ($0.typed() as Elements?).map(all) ?? [] }, hasIndexes: hasIndexes
    ) { element, belongs in
      controller.store.observe(
        // The identity isn't equal to that of a membership that is about to end.
        element, .resolved(keyPath, of: element, site), options, .unique, destination,
        .handler { observer, change in if belongs() { handler.call(observer, change) } }, queue: queue, at: site)
    }
    // On the thread of the change, so that those that left are silent before the setter returns.
    return KVOObservation(
      store.observe(
        object, path, [.initial, .prior], Identity(elements: keyPath, options), .threadOfChange,
        .handler { _, change in observation.receive(change) }, at: site))
  }
}

/// The elements of a collection at its last known state, in its order, and what belongs to each of them.
///
/// It compares identities only, so that it runs no foreign code, and can be used under a lock.
package struct ElementTable<Member: AnyObject> {
  /// What belongs to the elements that left the collection, and to those that came, with their positions.
  package typealias Difference = (left: [Member], came: [(position: Int, member: Member)])

  private var order: [ObjectIdentifier] = []
  private var members: [ObjectIdentifier: (count: Int, member: Member)] = [:]

  package init() {}

  package var count: Int { order.count }

  /// Adopts another state of the collection.
  ///
  /// - Parameter hint: The positions that a notified change has inserted or replaced in `new`, and the number of those that it
  ///   has removed there. It is used if it accounts for the number of elements.
  /// - Complexity: Linear in the number of elements, but a comparison of two words for each; with a hint linear in the size
  ///   of the change, but for moving the words that follow it.
  package mutating func update<Identities: RandomAccessCollection>(
    to new: Identities, hint: (range: Range<Int>, removed: Int)? = nil, _ makeMember: () -> Member
  ) -> Difference where Identities.Element == ObjectIdentifier, Identities.Index == Int {
    if let (range, removed) = hint, order.count - removed + range.count == new.count, range.upperBound <= new.count,
      range.lowerBound + removed <= order.count
    {
      return replace(range.lowerBound..<(range.lowerBound + removed), with: new, range, makeMember)
    }
    let shorter = min(order.count, new.count)
    var start = 0
    while start < shorter, order[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, order[order.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    return replace(start..<(order.count - end), with: new, start..<(new.count - end), makeMember)
  }

  private mutating func replace<Identities: RandomAccessCollection>(
    _ removed: Range<Int>, with new: Identities, _ inserted: Range<Int>, _ makeMember: () -> Member
  ) -> Difference where Identities.Element == ObjectIdentifier, Identities.Index == Int {
    var difference: Difference = ([], [])
    // Those that come are counted first, so that what was only moved stays.
    for position in inserted {
      if let known = members[new[position]] {
        members[new[position]] = (known.count + 1, known.member)
      } else {
        let member = makeMember()
        members[new[position]] = (1, member)
        difference.came.append((position, member))
      }
    }
    for element in order[removed] {
      guard let (count, member) = members[element] else { continue }
      if count > 1 {
        members[element] = (count - 1, member)
      } else {
        members[element] = nil
        difference.left.append(member)
      }
    }
    order.replaceSubrange(removed, with: new[inserted])
    return difference
  }
}

/// The changes of a collection that are under way, as the notifications before and after each of them tell.
package struct CollectionChanges {
  /// The number of notifications. A value that is read after one was counted contains its change.
  private var turn = 0
  /// The threads that make the changes under way.
  private var threads: [UInt] = []
  /// The turn when the only change under way began, if there is one, and no other was under way since.
  private var turnOfOnly: Int?
  /// The latest turn whose change is in the value that was adopted last.
  private var adoptedTurn = -1
  private var adoptions = 0

  package init() {}

  /// Whether a change has begun on a thread, and wasn't notified yet.
  package func areUnderWay(on thread: UInt) -> Bool { !threads.isEmpty && threads.contains(thread) }

  /// Counts a change that is about to happen.
  package mutating func begin(on thread: UInt) {
    turnOfOnly = threads.isEmpty ? turn : nil
    threads.append(thread)
  }

  /// Counts the notification of a change that has happened. There was none before it if the observation began during it.
  ///
  /// - Returns: Whether nothing else has happened since it began.
  package mutating func end(on thread: UInt) -> Bool {
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

  // MARK: Values

  /// A value that is being read for a change.
  package struct Reading {
    /// The turn of the change.
    fileprivate let change: Int
    /// The turn when the value began to be read.
    fileprivate var turn: Int
    fileprivate var adoptions: Int
  }

  /// What to do with a value that was read.
  package enum Outcome: Equatable {
    /// Adopt it. If `isNext`, it differs from the one that was adopted last by the change alone.
    case adopt(isNext: Bool)
    /// Read it again, because another thread has adopted one that may be newer.
    case readAgain
    /// Nothing: another thread has adopted a value that contains the change.
    case isContained
  }

  /// Called before the value is read for the latest change.
  package func beginReading() -> Reading { Reading(change: turn, turn: turn, adoptions: adoptions) }

  /// Called when the value was read. A thread reads it at most twice: what is adopted during the second read was read after
  /// something was adopted during the first, and so contains the change.
  package mutating func endReading(_ reading: inout Reading) -> Outcome {
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
