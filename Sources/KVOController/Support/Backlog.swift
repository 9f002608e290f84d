/// Elements in the order in which they were appended. What is taken out leaves no memory behind.
struct Backlog<Element> {
  /// Those before `first` were taken, and are nil. Empty if all were.
  private var elements: [Element?] = []
  private var first = 0
  /// How many were taken.
  private(set) var takenCount = 0

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count - first }

  mutating func append(_ element: Element) {
    if 2 * first > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard !elements.isEmpty else { return nil }
    var element: Element?
    swap(&element, &elements[first])
    first += 1
    takenCount += 1
    if first == elements.count { (elements, first) = ([], 0) }
    return element
  }

  /// Keeps those that fulfill a condition. Returns the others.
  mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
    let present = elements.compactMap { $0 }
    (elements, first) = (present.filter { !isRemoved($0) }, 0)
    return present.filter(isRemoved)
  }

  /// Takes out all of them.
  mutating func takeAll() -> Backlog {
    defer { (elements, first) = ([], 0) }
    return self
  }
}
