#if canImport(Observation) && !canImport(ObjectiveC)
/// The info of an object whose class conforms to `Observable`.
final class ObservableObjectInfo: ObservationInfo, @unchecked Sendable {
  fileprivate let properties = TrackedProperties()
}

extension ObservationInfo {
  /// What Observation knows of the object, whose class conforms to `Observable`.
  final var trackedProperties: TrackedProperties {
    // The object was marked before it had an info, so that it has one of this class.
    unsafeDowncast(self, to: ObservableObjectInfo.self).properties
  }
}
#endif
