/// Elements in the order in which they were appended. What is taken out leaves no memory behind.
struct Backlog<Element> {
  /// Those that were taken are nil until the slice without them moves to other memory.
  private var elements: ArraySlice<Element?> = []
  /// How many were taken.
  private(set) var takenCount = 0

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard let element = elements.first else { return nil }
    elements[elements.startIndex] = nil
    elements.removeFirst()
    takenCount += 1
    if elements.isEmpty { elements = [] }
    return element
  }

  /// Keeps those that fulfill a condition. Returns the others.
  mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
    let present = elements.compactMap { $0 }
    elements = ArraySlice(present.filter { !isRemoved($0) })
    return present.filter(isRemoved)
  }

  /// Takes out all of them.
  mutating func takeAll() -> Backlog {
    defer { elements = [] }
    return self
  }
}
