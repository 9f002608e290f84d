#if canImport(Observation)
import CKeyValueObserving
import Observation

/// The state that Observation needs for one object whose class conforms to `Observable`.
///
/// Observation distinguishes properties by key paths. It receives key paths of this class, one for each index of a
/// property, so that every change of a property uses the same one, whether it is made by an accessor, by coding, or
/// notified manually.
///
/// - Thread safety: The keys and probes are guarded by the lock, which isn't held while Observation is called. The object's
///   number is the index of the latest probe.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
final class TrackedProperties: LockedObject, Observable, @unchecked Sendable {
  private typealias Property = KeyPath<TrackedProperties, Void>
  // Of another type, so that Observation's sets quickly distinguish it from properties.
  private typealias Probe = KeyPath<TrackedProperties, Bool>

  private let registrar = ObservationRegistrar()
  private var keys: [String: [ObservationKey]] = [:]

  /// Key paths of no property, which show whether Observation retains them.
  private let probes: UnsafeMutablePointer<Unmanaged<Probe>>
  private var probeCount = 1
  /// As many trackings can wait for changes of the object before untracked reads take longer.
  private static let mostProbes = 32
  /// The number of an object of its own: how many more reads are taken for tracked ones without asking and, above the lowest
  /// byte, how many will be after the next tracked one.
  private let assumedReads = LockedObject()

  /// The key paths of the first properties, created once for all objects and never released.
  private let properties = TrackedProperties.properties
  private static let propertyCount = 64
  // Never written after it was made. Key paths are immutable.
  nonisolated(unsafe) private static let properties: UnsafePointer<Unmanaged<Property>> = {
    let properties = UnsafeMutablePointer<Unmanaged<Property>>.allocate(capacity: propertyCount)
    for index in 0..<propertyCount { (properties + index).initialize(to: .passRetained(makeProperty(index))) }
    return UnsafePointer(properties)
  }()

  override init() {
    probes = .allocate(capacity: Self.mostProbes)
    probes.initialize(to: Self.makeProbe(0))
  }

  deinit {
    for index in 0..<probeCount { probes[index].release() }
    probes.deallocate()
  }

  /// Whether a read is tracked, or may be.
  ///
  /// Asking Observation is quick for a read that isn't tracked. For one that is, it takes as long as reporting the read.
  /// So once a read was tracked, some of the following ones are reported without asking, which does no harm: more of
  /// them each time, up to a limit, until one isn't tracked.
  @inline(__always)
  func isReadTracked() -> Bool {
    // Threads may count down at the same time, because the number need not be exact.
    let assumed = assumedReads.number
    if _slowPath(assumed != 0) { return isReadTracked(assuming: assumed) }
    guard isTracking() else { return false }
    kvo_set_number(assumedReads.lockAddress, Self.assumption(8))
    return true
  }

  /// Whether a read is tracked, or may be, after one that was.
  private func isReadTracked(assuming assumed: UInt32) -> Bool {
    if assumed & 0xFF > 0 {
      kvo_set_number(assumedReads.lockAddress, assumed - 1)
      return true
    }
    // Observation retains the probe of the read that was tracked, as long as the tracking waits.
    replaceRetainedProbe()
    let isTracked = isTracking()
    kvo_set_number(assumedReads.lockAddress, isTracked ? Self.assumption(assumed >> 8) : 0)
    return isTracked
  }

  /// That many reads, and twice as many after the next tracked one.
  private static func assumption(_ count: UInt32) -> UInt32 { count | min(2 * count, 128) << 8 }

  /// Whether reads on this thread are tracked now. It may also be true if they aren't, while others are.
  ///
  /// Observation retains the key paths that are read under tracking until the tracking ends, and no others. So a read
  /// of a key path that it doesn't retain yet shows whether reads are tracked.
  private func isTracking() -> Bool {
    let probe = probes[Int(number)]
    probe._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
    return isRetained(probe)
  }

  /// Makes the following calls of ``isTracking()`` use a probe that Observation doesn't retain, unless there are too many
  /// trackings.
  @inline(never)
  private func replaceRetainedProbe() {
    withLock {
      if let index = (0..<probeCount).first(where: { !isRetained(probes[$0]) }) {
        kvo_set_number(lockAddress, UInt32(index))
      } else if probeCount < Self.mostProbes {
        (probes + probeCount).initialize(to: Self.makeProbe(probeCount))
        kvo_set_number(lockAddress, UInt32(probeCount))
        probeCount += 1
      }
    }
  }

  /// Whether Observation retains a probe. It may also be true while another thread uses the probe.
  @inline(__always)
  private func isRetained(_ probe: Unmanaged<Probe>) -> Bool {
    var probe = probe
    return withUnsafeMutablePointer(to: &probe) { pointer in
      // An unmanaged reference has the layout of a reference, and this one is owned as long as this object exists.
      !pointer.withMemoryRebound(to: Probe.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }
  }

  /// Reports a read of the property at `index`.
  func access(_ index: Int) {
    withProperty(index) { registrar.access(self, keyPath: $0) }
  }

  /// Reports that the property at `index` is about to change.
  func willSet(_ index: Int) {
    ReportedChange.report { withProperty(index) { registrar.willSet(self, keyPath: $0) } }
  }

  /// Reports that the property at `index` has changed.
  func didSet(_ index: Int) {
    withProperty(index) { registrar.didSet(self, keyPath: $0) }
  }

  /// The key of that name, for keys that are observed to find out about their changes. While a change is reported, it is one that
  /// the change doesn't reach.
  func key(_ name: String) -> ObservationKey {
    let known = withLock { keys[name] ?? [] }
    if let latest = known.last, !latest.isReached { return latest }
    let (key, unused) = (ObservationKey(), known.filter { !$0.isInUse })
    withLock {
      keys[name, default: []].removeAll { key in unused.contains { $0 === key } }
      keys[name, default: []].append(key)
    }
    return key
  }

  /// Releases the keys, when the object is deallocated.
  func end() {
    let released = withLock {
      defer { keys = [:] }
      return keys
    }
    withExtendedLifetime(released) {}
  }

  @inline(__always)
  private func withProperty(_ index: Int, _ body: (Property) -> Void) {
    if index < Self.propertyCount {
      properties[index]._withUnsafeGuaranteedRef(body)
    } else {
      body(Self.makeProperty(index))
    }
  }

  private static func makeProperty(_ index: Int) -> Property { \.[property: index] }

  private subscript(property index: Int) -> Void { () }

  // Probes differ from each other, since Observation retains only one of several equal key paths.
  private static func makeProbe(_ number: Int) -> Unmanaged<Probe> { .passRetained(\.[probe: number]) }

  private subscript(probe number: Int) -> Bool { false }
}
#endif
