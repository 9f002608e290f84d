#if canImport(Observation)
import CKeyValueObserving
import Observation

/// The state that Observation needs for one object whose class conforms to `Observable`. Observation distinguishes
/// properties by key paths. It receives key paths of this class, one for each index of a property, whatever has changed
/// it.
///
/// - Thread safety: The keys are guarded by the lock, which isn't held while Observation is called. The independent properties are
///   an atomic number.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
final class TrackedProperties: LockedObject, Observable, @unchecked Sendable {
  private typealias Property = KeyPath<TrackedProperties, Void> & Sendable

  override class var lockRank: Rank { .object }

  private let registrar = ObservationRegistrar()
  /// Keys that are in use, and those that are being read, with the number of those reads.
  private var keys: [String: (key: ObservationKey, reads: Int)] = [:]

  /// The key paths of the first properties, created once for all objects.
  private let properties = TrackedProperties.properties
  private static let properties = (0..<64).map(makeProperty)

  /// A bit for each of the first 32 properties: whether its key is known to depend on no other.
  private var independents: UInt32 { sharedNumber }

  @inline(__always)
  func isIndependent(_ index: Int) -> Bool { index < 32 && independents & 1 << UInt32(index) != 0 }

  func noteIndependent(_ index: Int) {
    if index < 32 { _ = kvo_set_bits_of_number(lockAddress, 1 << UInt32(index)) }
  }

  func access(_ index: Int) {
    requireNoLock("a read is reported to Observation")
    registrar.access(self, keyPath: property(index))
  }

  func reportChange(_ edge: KeyValueObject.Edge, _ index: Int) {
    requireNoLock("a change is reported to Observation")
    switch edge {
    case .before: registrar.willSet(self, keyPath: property(index))
    case .after: registrar.didSet(self, keyPath: property(index))
    }
  }

  /// Calls `body` with the key of that name, for keys that are observed to find out about their changes. It is kept as long as
  /// a thread is in this method with it, or it is in use.
  func withKey(_ name: String, _ body: (ObservationKey) -> Void) {
    let key = withLock {
      let reads = (keys[name]?.reads ?? 0) + 1, key = keys[name]?.key ?? ObservationKey()
      keys[name] = (key, reads)
      return key
    }
    body(key)
    withExtendedLifetime(key) {
      // The key's lock is taken within.
      withLock {
        guard let reads = keys[name]?.reads, keys[name]?.key === key else { return }
        keys[name] = reads > 1 || key.isInUse ? (key, reads - 1) : nil
      }
    }
  }

  /// Releases the keys, when the object is deallocated.
  func end() {
    var released: [String: (key: ObservationKey, reads: Int)] = [:]
    withLock { swap(&keys, &released) }
    withExtendedLifetime(released) {}
  }

  private func property(_ index: Int) -> Property {
    index < properties.count ? properties[index] : Self.makeProperty(index)
  }

  private static func makeProperty(_ index: Int) -> Property { \.[property: index] }

  private subscript(property index: Int) -> Void { () }
}
#endif
