#if canImport(Observation)
import CKeyValueObserving
import Observation

/// A key path of one object that is observed as long as Observation tracks it.
///
/// Observation retains the Swift key paths that are read under tracking until the tracking ends, and releases others.
/// So the key path that is passed to it here is created for each read and referenced weakly: it is alive if, and only
/// if, some tracking waits for a change or is still reading.
///
/// - Thread safety: The state is guarded by the lock. Neither Observation nor the closures are called with it.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
final class ObservationKey: LockedObject, Observable, @unchecked Sendable {
  private typealias Token = KeyPath<ObservationKey, Void>

  typealias End = @Sendable () -> Void

  private let registrar = ObservationRegistrar()
  /// The key path that active trackings have read; nil if there are none.
  private weak var token: Token?
  private var endObservation: End?
  /// The threads that are beginning an observation. What they read meanwhile, such as the property that an override
  /// reads, doesn't begin another one.
  private var beginningThreads: Set<UInt> = []

  /// Whether the value is observed. Observation keeps a tracking of a key path whose object is deallocated before the tracking begins.
  var isInUse: Bool { withLock { endObservation != nil || !beginningThreads.isEmpty } }

  /// Reports a read, which is about to happen, and begins the observation if the read is tracked.
  func access(begin: () -> End) {
    guard isReadTracked(), withLock({ endObservation == nil }) else { return }
    let thread = CurrentThread.identity
    guard withLock({ beginningThreads.insert(thread).inserted }) else { return }
    let begun = begin()
    // Two threads may have begun concurrently; one of the observations is superfluous.
    let endSuperfluous: End? = withLock {
      beginningThreads.remove(thread)
      guard endObservation == nil else { return begun }
      endObservation = begun
      return nil
    }
    endSuperfluous?()
  }

  /// Reports the change of which an observer with the option `.prior` is notified. After one it ends the observation if the
  /// key path isn't tracked any longer.
  func report(_ change: borrowing KeyValueChange) {
    if change.attributes.isPrior { return report(.before) }
    report(.after)
    let end = withLock { token == nil ? endObservation.takeOut() : nil }
    end?()
  }

  /// Reports a read, or one that stands for another key path's. Returns whether the read is tracked. It may also be
  /// true for concurrent reads on several threads.
  func isReadTracked() -> Bool {
    var read = withLock {
      let current = token ?? makeToken()
      token = current
      return current
    }
    requireNoLock("a read of a key is reported to Observation")
    registrar.access(self, keyPath: read)
    return !isKnownUniquelyReferenced(&read)
  }

  // A separate function, so that the token isn't retained after it returns.
  @inline(never)
  private func report(_ edge: KeyValueObject.Edge) {
    requireNoLock("a change of a key is reported to Observation")
    guard let token = withLock({ token }) else { return }
    switch edge {
    case .before: registrar.willSet(self, keyPath: token)
    case .after: registrar.didSet(self, keyPath: token)
    }
  }

  // The argument prevents the compiler from sharing one key path among all calls.
  private func makeToken(_ argument: Int = 0) -> Token { \.[token: argument] }

  private subscript(token argument: Int) -> Void { () }
}
#endif
