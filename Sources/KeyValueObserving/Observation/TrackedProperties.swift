#if canImport(Observation)
import Observation
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// The state that Observation needs for one object whose class conforms to `Observable`.
///
/// Observation distinguishes properties by key paths. It receives key paths of this class, one for each index of a
/// property, so that every change of a property uses the same one, whether it is made by an accessor, by coding, or
/// notified manually.
///
/// - Thread safety: The keys and probes are guarded by the lock, which isn't held while Observation is called.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
@usableFromInline
final class TrackedProperties: Observable, @unchecked Sendable {
  private typealias Property = KeyPath<TrackedProperties, Void>
  // Of another type, so that Observation's sets quickly distinguish it from properties.
  private typealias Probe = KeyPath<TrackedProperties, Bool>

  private let registrar = ObservationRegistrar()
  private let lock = Lock()
  private var keys: [String: TrackedKeyPath] = [:]

  /// Key paths of no property, which show whether Observation retains them. Owned by this object.
  private var probes: [Unmanaged<Probe>]
  /// As many trackings can wait for changes of the object before untracked reads take longer.
  private static let mostProbes = 32
  #if canImport(ObjectiveC)
  private var latestProbe: Unmanaged<Probe>
  #else
  private let latestProbe: Atomic<UnsafeRawPointer>
  #endif

  /// The key paths of the first properties, created once for all objects and never released.
  private let properties = TrackedProperties.properties
  private static let propertyCount = 64
  // Never written after it was made. Key paths are immutable.
  nonisolated(unsafe) private static let properties: UnsafePointer<Unmanaged<Property>> = {
    let properties = UnsafeMutablePointer<Unmanaged<Property>>.allocate(capacity: propertyCount)
    for index in 0..<propertyCount { (properties + index).initialize(to: .passRetained(makeProperty(index))) }
    return UnsafePointer(properties)
  }()

  init() {
    let probe = Self.makeProbe(0)
    probes = [probe]
    #if canImport(ObjectiveC)
    latestProbe = probe
    #else
    latestProbe = Atomic(UnsafeRawPointer(probe.toOpaque()))
    #endif
  }

  deinit {
    for probe in probes { probe.release() }
  }

  /// Whether reads on this thread are tracked now. It may also be true if they aren't, while others are.
  ///
  /// Observation retains the key paths that are read under tracking until the tracking ends, and no others. So a read
  /// of a key path that it doesn't retain yet shows whether reads are tracked.
  func isTracking() -> Bool {
    #if canImport(ObjectiveC)
    if isRetained(lock.withLock { latestProbe }) { replaceRetainedProbe() }
    let probe = lock.withLock { latestProbe }
    #else
    let probe = Unmanaged<Probe>.fromOpaque(latestProbe.load(ordering: .acquiring))
    #endif
    probe._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
    return isRetained(probe)
  }

  /// Makes the following calls of ``isTracking()`` use a probe that Observation doesn't retain, unless there are too many
  /// trackings.
  @inline(never)
  func replaceRetainedProbe() {
    lock.withLock {
      let probe: Unmanaged<Probe>
      if let known = probes.first(where: { !isRetained($0) }) {
        probe = known
      } else {
        guard probes.count < Self.mostProbes else { return }
        probe = Self.makeProbe(probes.count)
        probes.append(probe)
      }
      #if canImport(ObjectiveC)
      latestProbe = probe
      #else
      latestProbe.store(UnsafeRawPointer(probe.toOpaque()), ordering: .releasing)
      #endif
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
    withProperty(index) { registrar.willSet(self, keyPath: $0) }
  }

  /// Reports that the property at `index` has changed.
  func didSet(_ index: Int) {
    withProperty(index) { registrar.didSet(self, keyPath: $0) }
  }

  /// The key of that name, for keys that are observed to find out about their changes.
  func key(_ name: String) -> TrackedKeyPath {
    lock.withLock {
      if let key = keys[name] { return key }
      let key = TrackedKeyPath()
      keys[name] = key
      return key
    }
  }

  #if canImport(ObjectiveC)
  /// Ends the observations of keys.
  func end() {
    let all = lock.withLock {
      defer { keys = [:] }
      return Array(keys.values)
    }
    for key in all { key.end() }
  }
  #endif

  @inline(__always)
  private func withProperty(_ index: Int, _ body: (Property) -> Void) {
    if _fastPath(index < Self.propertyCount) {
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
