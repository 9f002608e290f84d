#if canImport(Observation)
import CKeyValueObserving
import Observation

/// The state that Observation needs for one object whose class conforms to `Observable`.
///
/// Observation distinguishes properties by key paths. It receives key paths of this class, one for each index of a
/// property, so that every change of a property uses the same one, whether it is made by an accessor, by coding, or
/// notified manually.
///
/// - Thread safety: The keys and the mark are guarded by the lock, which isn't held while Observation is called. The independent
///   properties are an atomic number.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
final class TrackedProperties: LockedObject, Observable, @unchecked Sendable {
  private typealias Property = KeyPath<TrackedProperties, Void> & Sendable

  private let registrar = ObservationRegistrar()
  private var keys: [String: [ObservationKey]] = [:]
  private var unusedMark: Mark?

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
    registrar.access(self, keyPath: property(index))
  }

  func willSet(_ index: Int) {
    ReportedChange.report { registrar.willSet(self, keyPath: property(index)) }
  }

  func didSet(_ index: Int) {
    registrar.didSet(self, keyPath: property(index))
  }

  /// Calls `body` with the key of that name, for keys that are observed to find out about their changes. While a change is
  /// reported, it is one that the change doesn't reach. It is kept if it is in use then.
  func withKey(_ name: String, _ body: (ObservationKey) -> Void) {
    let latest = withLock { keys[name]?.last }
    let key = latest.flatMap { $0.isReached ? nil : $0 } ?? ObservationKey()
    // It is found from the beginning, because its getter may read the same key.
    keep(key, name) { $0 === key || $0.isInUse }
    body(key)
    keep(key, name) { $0.isInUse }
  }

  /// Makes a key the latest one of its name, and removes those that aren't to be kept. The keys' locks are taken.
  private func keep(_ key: ObservationKey, _ name: String, if isKept: (ObservationKey) -> Bool) {
    let former = withLock { () -> [ObservationKey]? in
      let former = keys[name]
      if let former, former.last === key, isKept(key) { return nil }
      let kept = ((former ?? []).filter { $0 !== key } + [key]).filter(isKept)
      keys[name] = kept.isEmpty ? nil : kept
      return former
    }
    withExtendedLifetime(former) {}
  }

  /// Releases the keys, when the object is deallocated.
  func end() {
    let released = withLock {
      defer { keys = [:] }
      return keys
    }
    withExtendedLifetime(released) {}
  }

  /// Marks the closure that Observation tracks on this thread; nil if there is none. The result tells whether it tracks another one.
  func markTrackedClosure() -> (() -> Bool)? {
    var mark = withLock { unusedMark.take() } ?? Mark(number: Int(truncatingIfNeeded: kvo_next_number()))
    guard isNewToClosure(&mark) else {
      withLock { unusedMark = mark }
      return nil
    }
    let number = mark.number
    return { [self] in
      var mark = Mark(number: number)
      return isNewToClosure(&mark)
    }
  }

  /// Whether a closure is tracked that reads the mark for the first time: Observation retains each key path that a closure reads once.
  private func isNewToClosure(_ mark: inout Mark) -> Bool {
    registrar.access(self, keyPath: mark.keyPath)
    return !isKnownUniquelyReferenced(&mark.keyPath)
  }

  /// What no closure has read. It is kept for the next call, because creating a key path takes long.
  private struct Mark {
    let number: Int
    var keyPath: KeyPath<TrackedProperties, Void>

    init(number: Int) {
      self.number = number
      keyPath = \.[mark: number]
    }
  }

  private subscript(mark number: Int) -> Void { () }

  private func property(_ index: Int) -> Property {
    index < properties.count ? properties[index] : Self.makeProperty(index)
  }

  private static func makeProperty(_ index: Int) -> Property { \.[property: index] }

  private subscript(property index: Int) -> Void { () }
}
#endif
