/// The observation of a key path of each element of a collection, by a controller of its own. It is the observation of the
/// collection as well, and ends the others with it.
///
/// 1. It is notified first of each change of the collection, so that those that left are silent for the other observers.
/// 2. It reads the collection, ends the observations of the elements that left, and begins those of the ones that came.
/// 3. What elements change during an in-place mutation waits for its end, because the collection can't be read before.
///
/// - Thread safety: The state is guarded by its lock, which is never held while foreign code runs.
final class ElementsObservation<Element: KeyValueObservable>: KVOInfo, @unchecked Sendable {
  private let controller: KVOController
  private let elements: (ChangedValue) -> [Element]
  /// Begins the observation of an element.
  private let observe: (Element, ElementMembership) -> Void
  private let state: LockedState<ElementsState>

  init(
    _ path: ObservedPath, _ identity: Identity, of store: ObservationStore, by controller: KVOController,
    _ elements: @escaping (ChangedValue) -> [Element], _ state: LockedState<ElementsState>,
    _ observe: @escaping (Element, ElementMembership) -> Void
  ) {
    (self.controller, self.elements, self.state, self.observe) = (controller, elements, state, observe)
    super.init(path, options: .initial, identity, .threadOfChange, .handler { _, _ in }, of: store)
  }

  override var isNotifiedFirst: Bool { true }

  override func isOver() { controller.unobserveAll() }

  override func deliver(_ change: borrowing KeyValueChange) {
    let number = state.withLock { $0.beginReading() }
    if let value = newValue(of: change) { adopt(elements(value), number) }
    state.sendWaiting()
  }

  override func pathWasCut() { adopt([], state.withLock { $0.beginReading() }) }

  /// Ends the observations of the elements that left, and begins those of the ones that came, unless another thread has adopted a
  /// value that was read later.
  private func adopt(_ elements: [Element], _ number: Int) {
    let difference = elements.withIdentities { identities in
      state.withLock { $0.adopt(identities, number, of: self) }
    }
    for membership in difference.left { state.withLock { _ in membership.endedToken }?.invalidate() }
    for (position, membership) in difference.came {
      // A handler or another thread may have removed it meanwhile, or ended everything.
      if !hasEnded, state.withLock({ _ in !membership.hasLeft }) { observe(elements[position], membership) }
    }
    if hasEnded { isOver() }
  }
}

/// The observation of an element.
final class ElementInfo: KVOInfo, @unchecked Sendable {
  private let membership: ElementMembership
  private let state: LockedState<ElementsState>

  init(
    _ path: ObservedPath, _ options: NSKeyValueObservingOptions, _ destination: Destination, _ handler: ElementsHandler,
    of store: ObservationStore, _ membership: ElementMembership, _ state: LockedState<ElementsState>
  ) {
    (self.membership, self.state) = (membership, state)
    // The identity isn't equal to that of a membership that is about to end.
    super.init(path, options: options, .unique, destination, .handler(handler.call), of: store)
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    guard let object = membership.collection.object else { return }
    let collection = unsafeDowncast(object, to: KVOInfo.self)
    guard !collection.hasEnded else { return }
    guard collection.isDeferred else { return deliverUnlessLeft(change) }
    let isRetained = change.object.map { !isInDeinit($0) } == true
    let stored = StoredChange(change, retainsObject: isRetained)
    state.withLock { $0.waiting.append((stored, self)) }
    // Another thread's mutation may have ended meanwhile.
    if !collection.isDeferred { state.sendWaiting() }
  }

  func deliverUnlessLeft(_ change: borrowing KeyValueChange) {
    let isPrior = change.attributes.isPrior
    guard state.withLock({ _ in membership.takes(isPrior: isPrior) }) else { return }
    super.deliver(change)
    state.withLock { _ in membership.endedToken }?.invalidate()
  }
}

// Not nested in the generic class: the compiler specializes the code that uses them.

/// The handler of the changes of elements. A compiler of Swift 6.2 with assertions doesn't know it again as a closure, when it
/// specializes the initializer of the class.
struct ElementsHandler {
  let call: KVOInfo.Handler
}

/// The membership of one element, which the lock of the observation guards.
final class ElementMembership {
  let collection: WeakReference
  var token: KVOObservation?
  fileprivate(set) var hasLeft = false
  /// The number of prior calls whose counterparts are yet to come. An element that left gets these.
  private var priors = 0

  fileprivate init(_ collection: KVOInfo) {
    self.collection = WeakReference(collection)
  }

  /// The token of the observation, if that is to end.
  var endedToken: KVOObservation? { hasLeft && priors == 0 ? token : nil }

  /// Whether a call is to be made.
  fileprivate func takes(isPrior: Bool) -> Bool {
    if isPrior {
      if !hasLeft { priors += 1 }
    } else if priors > 0 {
      priors -= 1
      return true
    }
    return !hasLeft
  }
}

/// What is known of the elements of a collection.
struct ElementsState {
  /// A change of an element that was made during an in-place mutation of the collection.
  typealias Waiting = (change: StoredChange, info: ElementInfo)

  private var table = ElementTable<ElementMembership>()
  /// The number of times that the collection was read, and that of the read whose value was adopted.
  private var (readings, adopted) = (0, 0)
  fileprivate var waiting: [Waiting] = []

  mutating func beginReading() -> Int {
    readings += 1
    return readings
  }

  fileprivate mutating func adopt(
    _ identities: UnsafeBufferPointer<ObjectIdentifier>, _ number: Int, of collection: KVOInfo
  ) -> ElementTable<ElementMembership>.Difference {
    guard number > adopted else { return ([], []) }
    adopted = number
    let difference = table.update(to: identities) { ElementMembership(collection) }
    for membership in difference.left { membership.hasLeft = true }
    return difference
  }
}

extension LockedState<ElementsState> {
  /// Makes the calls that wait for the end of an in-place mutation.
  fileprivate func sendWaiting() {
    let waiting = withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for (change, info) in waiting { change.lend(of: info) { info.deliverUnlessLeft($0) } }
  }
}

/// The elements of a collection at its last known state, in its order, and what belongs to each of them. It compares identities
/// only, so that it runs no foreign code, and can be used under a lock.
package struct ElementTable<Member: AnyObject> {
  /// What belongs to the elements that left the collection, and to those that came, with their positions.
  package typealias Difference = (left: [Member], came: [(position: Int, member: Member)])

  private var order: [ObjectIdentifier] = []
  private var members: [ObjectIdentifier: (count: Int, member: Member)] = [:]

  package init() {}

  /// Adopts another state of the collection.
  ///
  /// - Complexity: Linear in the number of elements, but a comparison of two words for each that is where it was.
  package mutating func update<Identities: RandomAccessCollection>(
    to new: Identities, _ makeMember: () -> Member
  ) -> Difference where Identities.Element == ObjectIdentifier, Identities.Index == Int {
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
