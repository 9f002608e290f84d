import Foundation

/// A value that several threads use, behind a lock.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  package var current: Value { withLock { $0 } }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Locked<Int> {
  package func add(_ number: Int = 1) {
    withLock { $0 += number }
  }
}

extension Locked {
  /// Takes the value out, so that it is released where the caller wants it.
  package func take<Wrapped>() -> Value where Value == Wrapped? {
    withLock { value in
      defer { value = nil }
      return value
    }
  }
}

extension Locked {
  package func append<Element>(_ element: Element) where Value == [Element] {
    withLock { $0.append(element) }
  }

  /// The elements since the last time.
  package func take<Element>() -> [Element] where Value == [Element] {
    withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
