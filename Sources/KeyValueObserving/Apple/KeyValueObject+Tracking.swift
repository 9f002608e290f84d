#if canImport(ObjectiveC)
extension KeyValueObject {
  /// Whether a tracker is at work on this thread.
  @usableFromInline
  final var isTracked: Bool { ReadTracker.isAtWork }

  /// Whether getters must do more than to read.
  @usableFromInline
  final var isTrackedOrObservable: Bool { isTracked || isObservable }

  final func beginTracking() {}

  final func endTracking() {}
}
#endif
