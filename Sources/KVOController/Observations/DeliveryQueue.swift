/// The elements that wait for an actor or a sequence, in order, and whether a task or a thread is delivering them.
package struct DeliveryQueue<Element> {
  private var waiting: [Element] = []
  /// Elements that were appended before those in ``waiting``, in reverse order.
  private var next: [Element] = []
  private var isDelivering = false

  package init() {}

  package var count: Int { waiting.count + next.count }

  /// - Returns: Whether the caller must begin to deliver the elements.
  package mutating func append(_ element: Element) -> Bool {
    waiting.append(element)
    defer { isDelivering = true }
    return !isDelivering
  }

  package mutating func popFirst() -> Element? {
    if next.isEmpty {
      next = waiting.reversed()
      waiting.removeAll(keepingCapacity: true)
    }
    return next.popLast()
  }

  /// Whether the current delivery must go on. Otherwise the next element needs another one.
  package mutating func mustGoOn() -> Bool {
    isDelivering = count > 0
    return isDelivering
  }
}
