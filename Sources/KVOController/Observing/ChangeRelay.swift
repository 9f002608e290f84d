/// Relays the changes of a path as changes of one key of another object, which notifies Foundation of it.
///
/// Foundation takes the end of a change only on the thread on which it was notified of its beginning, and reads the old value
/// at the beginning.
package struct ChangeRelay: Sendable {
  /// Notifies Foundation that the key is about to change, or has changed: at these indexes, or as a whole.
  package typealias Notification = (_ kind: NSKeyValueChange, _ indexes: IndexSet?) -> Void

  private let changes = LockedState(OpenChanges())

  package init() {}

  /// The value to read for the key, if it isn't the current one of the path.
  package var heldValue: ChangedValue? {
    guard let latest = changes.withLock({ $0.latest }), latest.isRequested else { return nil }
    return latest
  }

  /// Relays one notification of the path's observance, which asks for prior ones and for old values.
  package func relay(
    _ kind: NSKeyValueChange, isPrior: Bool, _ indexes: IndexSet?, old: ChangedValue, willChange: Notification,
    didChange: Notification
  ) {
    if isPrior {
      changes.withLock { $0.begin(old: .notRequested) }
      willChange(kind, indexes)
    } else if changes.withLock({ $0.end() }) == nil {
      // Another thread had begun the change when the observance was registered, and the prior call was over.
      changes.withLock { $0.begin(old: indexes == nil ? old : .notRequested) }
      willChange(.setting, nil)
      _ = changes.withLock { $0.end() }
      didChange(.setting, nil)
    } else {
      didChange(kind, indexes)
    }
  }
}

/// The changes of one value that have begun and not ended. Each ends on the thread on which it has begun, the latest first.
///
/// It is a value without a lock: its owner guards it.
struct OpenChanges {
  private var changes: [(thread: UInt, old: ChangedValue)] = []

  init() {}

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
