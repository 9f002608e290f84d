#if canImport(Observation)
import Observation

/// The state that Observation needs for one object whose class conforms to `Observable`.
///
/// Observation distinguishes properties by key paths. It receives key paths of this class, one for each index of a
/// property, so that every change of a property uses the same one, whether it is made by an accessor, by coding, or
/// notified manually.
///
/// - Thread safety: The keys are guarded by the lock, which isn't held while Observation is called.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
@usableFromInline
final class TrackedProperties: Observable, @unchecked Sendable {
  private typealias Property = KeyPath<TrackedProperties, Void>

  private let registrar = ObservationRegistrar()
  private let lock = Lock()
  private var keys: [String: TrackedKeyPath] = [:]
  /// A key path of no property, which shows whether Observation retains it. Owned by this object.
  private let probe: Unmanaged<Property>

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
    probe = .passRetained(Self.makeProperty(-1))
  }

  deinit {
    probe.release()
  }

  /// Whether reads on this thread are tracked now.
  ///
  /// Observation retains the key paths that are read under tracking until the tracking ends, and no others. The result
  /// is also true if a tracking of this object is still waiting for a change.
  func isTracking() -> Bool {
    probe._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
    var probe = probe
    return withUnsafeMutablePointer(to: &probe) { pointer in
      // An unmanaged reference has the layout of a reference, and this one is owned as long as this object exists.
      !pointer.withMemoryRebound(to: Property.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
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
}
#endif
