#if canImport(ObjectiveC)
extension KeyValueObject {
  /// Whether a tracker is at work on this thread.
  @usableFromInline
  final var isTracked: Bool { ReadTracker.current != nil }

  final func beginTracking() {}

  final func endTracking() {}
}
#endif
