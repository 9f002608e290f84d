import KeyValueObserving

/// Lines written from several places, also on several threads.
final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func write(_ line: String) {
    lock.lock()
    defer { lock.unlock() }
    lines.append(line)
  }

  func take() -> [String] {
    lock.lock()
    defer { lock.unlock() }
    defer { lines = [] }
    return lines
  }
}

extension Recorder {
  /// Writes the name of this observer for each call, and whether that is before the change.
  func report(to log: Log) {
    whenCalled = { recorder, call in log.write(recorder.name + (call.isPrior ? " before" : "")) }
  }
}
