/// The changes of one value that have begun and not ended. Each ends on the thread on which it has begun, the latest
/// first. A value without a lock.
struct OpenChanges {
  private var changes: [(thread: UInt, old: ChangedValue)] = []

  /// The old value of the change that this thread has begun last; nil if there is none.
  var latest: ChangedValue? { index.map { changes[$0].old } }

  private var index: Int? {
    let thread = CurrentThread.identity
    return changes.lastIndex { $0.thread == thread }
  }

  mutating func begin(old: ChangedValue) { changes.append((CurrentThread.identity, old)) }

  /// Ends the change that this thread has begun last. Returns its old value; nil if the observer has come during it.
  mutating func end() -> ChangedValue? { index.map { changes.remove(at: $0).old } }

  /// Ends all changes, because nobody else will. Returns their old values, the latest change first.
  mutating func endAll() -> [ChangedValue] {
    defer { changes = [] }
    return changes.reversed().map(\.old)
  }
}
