extension ObservationInfo {
  /// A limit that nested changes don't reach, because their calls must fit on a thread's stack.
  private static let mostManualChanges = 1024

  /// Stores a change until its end. If too many changes never end, the oldest are dropped.
  func append(_ change: ManualChange) {
    let dropped = withExtras { extras -> ManualChange? in
      guard let extras else { return nil }
      extras.manualChanges.append(change)
      guard extras.manualChanges.count > Self.mostManualChanges else { return nil }
      let oldest = extras.manualChanges.dropLast().firstIndex { $0.isOf(change.key, change.thread) }
      return extras.manualChanges.remove(at: oldest ?? 0)
    }
    withExtendedLifetime(dropped) {}
  }

  /// Whether this thread has begun a change of a key.
  func hasManualChange(of key: ObservedKey) -> Bool {
    let thread = ThreadIdentity.current
    return withLock { extras?.manualChanges.contains { $0.isOf(key, thread) } == true }
  }

  /// The latest change of a key that this thread has begun. It is removed.
  func takeManualChange(of key: ObservedKey) -> ManualChange? {
    let thread = ThreadIdentity.current
    return withLock {
      guard let extras, let index = extras.manualChanges.lastIndex(where: { $0.isOf(key, thread) }) else { return nil }
      return extras.manualChanges.remove(at: index)
    }
  }
}

extension ManualChange {
  fileprivate func isOf(_ key: ObservedKey, _ thread: ThreadIdentity) -> Bool {
    self.key === key && self.thread == thread
  }
}
