#if canImport(Observation) && !canImport(ObjectiveC)
import Synchronization

/// The info of an object whose class conforms to `Observable`.
final class ObservableObjectInfo: ObservationInfo, @unchecked Sendable {
  fileprivate let properties = Unmanaged.passRetained(TrackedProperties())
  /// How many more reads are taken for tracked ones without asking.
  fileprivate let assumedReads = Atomic(0)

  deinit {
    properties.release()
  }
}

extension ObservationInfo {
  /// The state of the object's properties for Observation, valid as long as the info exists.
  final var trackedProperties: Unmanaged<TrackedProperties> {
    // The object was marked before its info was created, so the info is of this class.
    unsafeDowncast(self, to: ObservableObjectInfo.self).properties
  }

  /// Whether a read is tracked, or may be.
  ///
  /// Asking Observation is quick for a read that isn't tracked. For one that is, it takes as long as reporting the read.
  /// So once a read was tracked, the following ones are reported without asking, which does no harm.
  @inline(__always)
  final func isReadTracked() -> Bool {
    let info = unsafeDowncast(self, to: ObservableObjectInfo.self)
    // Threads may count down at the same time, because the number need not be exact.
    let assumed = info.assumedReads.load(ordering: .relaxed)
    if assumed > 0 {
      info.assumedReads.store(assumed - 1, ordering: .relaxed)
      return true
    }
    guard info.properties._withUnsafeGuaranteedRef({ $0.isTracking() }) else { return false }
    info.assumedReads.store(64, ordering: .relaxed)
    return true
  }
}
#endif
