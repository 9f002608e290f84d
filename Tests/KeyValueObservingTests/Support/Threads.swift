import KeyValueObserving

/// Runs a closure on several threads of their own at once, and waits for them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let start = Gate()
  let end = Gate()
  for index in 0..<count {
    Thread.detachNewThread {
      start.arrive()
      start.wait(for: count)
      body(index)
      end.arrive()
    }
  }
  end.wait(for: count)
}

/// Counts arrivals, and lets those who wait for a number of them go on.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var arrivals = 0

  func arrive() {
    condition.lock()
    arrivals += 1
    condition.broadcast()
    condition.unlock()
  }

  func wait(for count: Int) {
    condition.lock()
    while arrivals < count { condition.wait() }
    condition.unlock()
  }

  var count: Int {
    condition.lock()
    defer { condition.unlock() }
    return arrivals
  }
}

/// A value for several threads.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func with<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}

/// An observer that counts its calls, on any threads, by context.
final class Counter: KeyValueObject, @unchecked Sendable {
  private let counts = Locked<[Int: Int]>([:])

  subscript(context: Int = 0) -> Int { counts.with { $0[context] ?? 0 } }

  var total: Int { counts.with { $0.values.reduce(0, +) } }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    counts.with { $0[Int(bitPattern: context), default: 0] += 1 }
  }
}
