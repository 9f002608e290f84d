import KVOController

/// A value that several threads use, behind a lock.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  var current: Value { withLock { $0 } }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Locked<Int> {
  func add(_ number: Int = 1) {
    withLock { $0 += number }
  }
}

extension Locked {
  /// Takes the value out, so that it is released where the caller wants it.
  func take<Wrapped>() -> Value where Value == Wrapped? {
    withLock { value in
      defer { value = nil }
      return value
    }
  }
}
