/// The observation of a key path of each element of a collection. It is the observation of the collection, has one of each
/// element, and ends these with it.
///
/// 1. It is notified first of each change of the collection, so that elements that left are silent for the other observers.
/// 2. It reads the collection, ends the observations of the elements that left, and begins those of the ones that came.
/// 3. The change of an element is delivered like any other, even while the collection is being mutated: nothing is read for it.
///
/// - Thread safety: The state is guarded by its lock, which is never held while foreign code runs.
final class ElementsObservation<Element: KeyValueObservable>: KVOInfo, @unchecked Sendable {
  private let elements: (ChangedValue) -> [Element]
  /// What is asked for each element.
  private let request: (Element) -> Request
  /// Where changes of all elements wait, if they are for an actor.
  private let laneOfElements: Lane?
  private let table = LockedState(ElementTable<ObservedElement>())

  init(
    _ collection: Request, _ lane: Lane?, in store: ObservationStore,
    _ elements: @escaping (ChangedValue) -> [Element], _ request: @escaping (Element) -> Request
  ) {
    (self.elements, self.request, laneOfElements) = (elements, request, lane)
    super.init(collection, in: store)
  }

  override var isNotifiedFirst: Bool { true }

  /// Elements are observed by the initial call, so the observation that this one replaces ends afterwards.
  override func begin(at root: KeyValueObservable, _ didRegister: () -> Void) {
    super.begin(at: root) {}
    didRegister()
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    let number = table.withLock { $0.beginReading() }
    if let value = newValue(of: change) { adopt(elements(value), number) }
  }

  override func pathWasCut() { adopt([], table.withLock { $0.beginReading() }) }

  override func didEnd() {
    adopt([], .max)
    laneOfElements?.removeAll()
  }

  /// Ends the observations of the elements that left, and begins those of the ones that came, unless another thread has adopted a
  /// value that was read later.
  private func adopt(_ elements: [Element], _ number: Int) {
    let difference = elements.withIdentities { identities in
      table.withLock { $0.update(to: identities, of: number, ObservedElement.init) }
    }
    for member in difference.left { member.info?.end() }
    for (position, member) in difference.came {
      let element = elements[position]
      let (info, retained) = (KVOInfo(request(element), in: store), element === observer ? nil : element)
      let isThere = table.withLock { table in
        // A handler or another thread may have removed it meanwhile, or ended everything.
        guard table[ObjectIdentifier(element)] === member else { return false }
        (member.info, member.element) = (info, retained)
        return true
      }
      if isThere { info.begin(at: element) }
    }
  }
}

// Not nested in the generic class: the compiler specializes the code that uses it.
/// An element, which is retained unless it is the observer, and its observation. The lock guards both; they don't change once the
/// element has left.
private final class ObservedElement {
  var info: KVOInfo?
  var element: KeyValueObservable?
}

/// The elements of a collection at its last known state, in its order, and what belongs to each of them. It compares identities
/// only, so that it runs no foreign code, and can be used under a lock.
package struct ElementTable<Member: AnyObject> {
  /// What belongs to the elements that left the collection, and to those that came, with their positions.
  package typealias Difference = (left: [Member], came: [(position: Int, member: Member)])

  private var order: [ObjectIdentifier] = []
  private var members: [ObjectIdentifier: (count: Int, member: Member)] = [:]
  /// The number of times that the collection was read, and that of the read whose value was adopted.
  private var (readings, adopted) = (0, 0)

  package init() {}

  /// What belongs to an element.
  package subscript(element: ObjectIdentifier) -> Member? { members[element]?.member }

  package mutating func beginReading() -> Int {
    readings += 1
    return readings
  }

  /// Adopts another state of the collection, unless one that was read later has been adopted.
  ///
  /// - Complexity: Linear in the number of elements, but a comparison of two words for each that is where it was.
  package mutating func update<Identities: RandomAccessCollection>(
    to new: Identities, of number: Int, _ makeMember: () -> Member
  ) -> Difference where Identities.Element == ObjectIdentifier, Identities.Index == Int {
    guard number > adopted else { return ([], []) }
    adopted = number
    let (start, end) = lengthsInCommon(order, new)
    let (removed, inserted) = (start..<(order.count - end), start..<(new.count - end))
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
