import Scheduler

/// The calls of observers, in order. One thread runs at a time, so it needs no lock.
final class Log<Element>: @unchecked Sendable {
  private(set) var all: [Element] = []

  init() {}

  /// Records a call. No lock may be held, because an observer may do anything; and other threads may go on.
  func record(_ element: Element) {
    explore_require_no_lock()
    all.append(element)
    point()
  }

  var last: Element? { all.last }
  var count: Int { all.count }
}

/// Lets a thread wait for another one.
final class Signal: @unchecked Sendable {
  private let number = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init() { number.initialize(to: 0) }
  deinit { number.deallocate() }

  func send() { number.pointee = 1 }
  func wait() { explore_await(number) }
  var isSent: Bool { number.pointee != 0 }
}

/// The number of model objects that exist.
enum Census {
  nonisolated(unsafe) static var count = 0
}
