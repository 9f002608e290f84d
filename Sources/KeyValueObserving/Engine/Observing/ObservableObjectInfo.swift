#if canImport(Observation) && !canImport(ObjectiveC)
import Synchronization

/// The info of an object whose class conforms to `Observable`.
final class ObservableObjectInfo: ObservationInfo, @unchecked Sendable {
  fileprivate let properties = Unmanaged.passRetained(TrackedProperties())
  /// How many more reads are taken for tracked ones without asking and, above the lowest byte, how many will be after
  /// the next tracked one.
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
  /// So once a read was tracked, some of the following ones are reported without asking, which does no harm: more of
  /// them each time, up to a limit, until one isn't tracked.
  @inline(__always)
  final func isReadTracked() -> Bool {
    let info = unsafeDowncast(self, to: ObservableObjectInfo.self)
    // Threads may count down at the same time, because the number need not be exact.
    let assumed = info.assumedReads.load(ordering: .relaxed)
    if _slowPath(assumed != 0) { return isReadTracked(info, assuming: assumed) }
    guard info.properties._withUnsafeGuaranteedRef({ $0.isTracking() }) else { return false }
    info.assumedReads.store(Self.assumption(8), ordering: .relaxed)
    return true
  }

  /// Whether a read is tracked, or may be, after one that was.
  private func isReadTracked(_ info: ObservableObjectInfo, assuming assumed: Int) -> Bool {
    if assumed & 0xFF > 0 {
      info.assumedReads.store(assumed - 1, ordering: .relaxed)
      return true
    }
    let isTracked = info.properties._withUnsafeGuaranteedRef {
      // Observation retains the probe of the read that was tracked, as long as the tracking waits.
      $0.replaceRetainedProbe()
      return $0.isTracking()
    }
    info.assumedReads.store(isTracked ? Self.assumption(assumed >> 8) : 0, ordering: .relaxed)
    return isTracked
  }

  /// That many reads, and twice as many after the next tracked one.
  private static func assumption(_ count: Int) -> Int { count | min(2 * count, 128) << 8 }
}
#endif
