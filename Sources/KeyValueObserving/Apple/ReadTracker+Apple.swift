#if canImport(ObjectiveC)
// Getters report their reads whenever a tracker is active, so it needs no objects.
extension ReadTracker {
  struct Objects {}

  func begin(at root: KeyValueObservable) {}
  func search(_ value: UnsafeRawPointer, of property: Property) {}
  func end() {}
}

extension ReadTracker.Property {
  struct Details {
    init(_ owner: KeyValueObject, _ properties: ClassProperties, _ index: Int) {}
  }
}

extension KeyValueObject {
  /// Whether a read tracker is active on this thread.
  @usableFromInline
  final var isTracked: Bool { ReadTracker.isAtWork }

  /// Whether getters must report their reads.
  @usableFromInline
  final var isTrackedOrObservable: Bool { isTracked || isObservable }

  final func beginTracking() {}

  final func endTracking() {}
}
#endif
