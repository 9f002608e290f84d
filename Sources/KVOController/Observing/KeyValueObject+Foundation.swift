import CKeyValueObserving

// On Apple platforms, observers that call `addObserver` are registered with Foundation, which notifies them. From then on the
// engine notifies it of changes, by calling the superclass. On other platforms tests take Foundation's place.

extension KeyValueObject {
  /// Whether Foundation was ever asked to register an observer.
  @inline(__always)
  final var isObservedByFoundation: Bool { kvo_flags(address) & UInt(KVO_OBSERVED_BY_FOUNDATION) != 0 }

  /// Records that Foundation is asked to register an observer. Called before it does.
  final func willBeObservedByFoundation() {
    _ = madeObservationInfo
    kvo_set_flags(address, UInt(KVO_OBSERVED_BY_FOUNDATION))
  }

  /// Finds out, when a change of a key begins, whether Foundation has observers of which nothing was recorded: it may begin
  /// the change in a setter, in which the engine's must not notify.
  final func findHiddenObservers(settingThrough key: String) {
    if !isObservedByFoundation, hasHiddenObservers(settingThrough: key) { willBeObservedByFoundation() }
  }

  /// Notifies Foundation of a change of the value for a key.
  final func notifyFoundation(_ moment: Moment, _ key: String, _ mutation: Mutation) {
    // Foundation reads values, which belong to nothing that this thread reads.
    ThreadFrame.shielded {
      switch (moment, mutation) {
      case (.before, .setting): super.willChangeValue(forKey: key)
      case (.after, .setting): super.didChangeValue(forKey: key)
      case (.before, .ordered(let kind, let indexes)): super.willChange(kind, valuesAt: indexes, forKey: key)
      case (.after, .ordered(let kind, let indexes)): super.didChange(kind, valuesAt: indexes, forKey: key)
      case (.before, .unordered(let kind, let objects)):
        super.willChangeValue(forKey: key, withSetMutation: kind, using: objects)
      case (.after, .unordered(let kind, let objects)):
        super.didChangeValue(forKey: key, withSetMutation: kind, using: objects)
      }
    }
  }

  /// Whether Foundation calls a setter of Objective-C for a key on this thread, and notifies of the change itself.
  final func isInSetterOfFoundation(_ key: ObservedKey, _ info: ObservationInfo) -> Bool {
    isObservedByFoundation && info.hasManualChange(of: key) && hasSetterOfFoundation(key.name)
  }
}
