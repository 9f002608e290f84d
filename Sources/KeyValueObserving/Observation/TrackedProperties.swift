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

  /// Key paths of no property, which show whether Observation retains them. The object's number has the index of the one to use in
  /// the lowest byte, and how many reads are taken for tracked ones without asking: after the next tracked one in the byte above,
  /// and from now on in the upper two.
  private let probes: UnsafeMutablePointer<Unmanaged<Probe>>
  private var probeCount = 1
  /// As many trackings can wait for changes of the object before untracked reads take longer.
  private static let mostProbes = 32

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

  /// Whether a read is tracked, or may be. It may also be true if reads on this thread aren't tracked, while others are.
  ///
  /// Observation retains the key paths that are read under tracking until the tracking ends, and no others. So a read of a key
  /// path that it doesn't retain yet shows whether reads are tracked. That is quick if they aren't. If they are, it takes as long
  /// as reporting the read, so some of the following ones are reported without asking, which does no harm: more of them each time.
  @inline(__always)
  func isReadTracked() -> Bool {
    // Threads may change the number at the same time. Each index that was ever stored is that of a probe.
    let number = number
    if _slowPath(number > 0xFF) { return isReadTracked(afterTracked: number) }
    return isTracking(number, 8)
  }

  /// The same after a read that was tracked.
  private func isReadTracked(afterTracked number: UInt32) -> Bool {
    if number > 0xFFFF {
      kvo_set_number(lockAddress, number - 0x1_0000)
      return true
    }
    if isTracking(number & 0xFF, number >> 8) { return true }
    kvo_set_number(lockAddress, number & 0xFF)
    return false
  }

  /// Asks with the probe at an index. If the read is tracked, the following `count` reads are taken for tracked ones.
  @inline(__always)
  private func isTracking(_ index: UInt32, _ count: UInt32) -> Bool {
    let probe = probes[Int(index)]
    probe._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
    guard isRetained(probe) else { return false }
    assumeTracked(count)
    return true
  }

  /// Takes the following reads for tracked ones. Those after them ask with a probe that Observation doesn't retain, unless there are
  /// too many trackings.
  @inline(never)
  private func assumeTracked(_ count: UInt32) {
    withLock {
      var index = (0..<probeCount).first { !isRetained(probes[$0]) } ?? probeCount
      if index == Self.mostProbes {
        index -= 1
      } else if index == probeCount {
        (probes + index).initialize(to: Self.makeProbe(index))
        probeCount += 1
      }
      kvo_set_number(lockAddress, count << 16 | min(2 * count, 128) << 8 | UInt32(index))
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
