#if canImport(ObjectiveC)
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
