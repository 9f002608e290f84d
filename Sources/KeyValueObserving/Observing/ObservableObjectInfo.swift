#if canImport(Observation) && !canImport(ObjectiveC)
/// The info of an object whose class conforms to `Observable`.
final class ObservableObjectInfo: ObservationInfo, @unchecked Sendable {
  fileprivate let properties = TrackedProperties()
}

extension ObservationInfo {
  /// The state of the object's properties for Observation.
  final var trackedProperties: TrackedProperties {
    // The object was marked before its info was created, so the info is of this class.
    unsafeDowncast(self, to: ObservableObjectInfo.self).properties
  }
}
#endif
