#if canImport(ObjectiveC) && canImport(Combine)
import Combine

extension _KeyValueCodingAndObserving where Self: KeyValueObject {
  /// A publisher of the value at a key path: now, and after each change. Traps if the key path can't be observed.
  ///
  /// It replaces Combine's own, which traps for an ``Observed`` property. Values are sent on the thread that makes the
  /// change, before the setter returns. A subscriber that demands fewer receives the latest one when it demands
  /// another. A subscriber receives one value at a time: a thread that changes the value meanwhile waits. A
  /// subscription retains the object, and lasts until it is cancelled.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> some Publisher<Value, Never> {
    Deferred {
      // Whether there is a value to send. A subject sends one at a time, so what is read then is never older than what was sent.
      let changes = CurrentValueSubject<Bool, Never>(options.contains(.initial))
      let observance = ClosureObservance(
        .resolved(keyPath, of: self), options: options.intersection(.prior), .publisher
      ) { _ in changes.send(true) }
      observance.begin(at: self)
      return changes.compactMap { isThere -> Value? in isThere ? self[keyPath: keyPath] : nil }
        .handleEvents(receiveCancel: { observance.end() })
    }
  }
}
#endif
