#if canImport(Observation)
import Observation

/// A key path of one object that Observation tracks, and that is observed for as long as anyone tracks it.
///
/// Observation keeps the Swift key paths that were read under tracking until their tracking ends, and releases those
/// that were read without. So the key path handed to it here is made anew each time and held weakly: it is alive if,
/// and only if, some tracking waits for a change, or is still reading.
///
/// - Thread safety: The state is guarded by the lock. Neither Observation nor the closures are called with it.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
package final class TrackedKeyPath: Observable, @unchecked Sendable {
  private typealias Token = KeyPath<TrackedKeyPath, Void>

  /// Ends an observation.
  package typealias End = @Sendable () -> Void

  private let registrar = ObservationRegistrar()
  private let lock = UnfairLock()
  /// What those who track now have read; nil if there are none.
  private weak var token: Token?
  private var endObservation: End?
  private var isUnobservable = false

  package init() {}

  /// Reports a read, and begins the observation if the read is tracked. To be called before the value is read.
  ///
  /// - Parameter begin: Observes the key path from now on, to call ``willChange()`` and ``didChange()``. Returns nil if
  ///   it can't be observed; then it isn't called again.
  package func access(begin: () -> End?) {
    guard reportAccess(), lock.withLock({ endObservation == nil && !isUnobservable }) else { return }
    let begun = begin()
    // Two threads may have begun at once: one of the observations is enough.
    let endSuperfluous: End? = lock.withLock {
      isUnobservable = begun == nil
      guard endObservation == nil else { return begun }
      endObservation = begun
      return nil
    }
    endSuperfluous?()
  }

  /// Reports that the value is about to change.
  package func willChange() {
    guard let token = currentToken else { return }
    registrar.willSet(self, keyPath: token)
  }

  /// Reports that the value has changed, and ends the observation if nobody tracks the key path any longer.
  package func didChange() {
    reportChange()
    let end: End? = lock.withLock {
      guard token == nil else { return nil }
      defer { endObservation = nil }
      return endObservation
    }
    end?()
  }

  #if canImport(ObjectiveC)
  /// Ends the observation for good.
  func end() {
    let end = lock.withLock {
      isUnobservable = true
      defer { endObservation = nil }
      return endObservation
    }
    end?()
  }
  #endif

  /// - Returns: Whether the read is tracked. Reads on several threads at once may be taken for tracked ones.
  private func reportAccess() -> Bool {
    var read = lock.withLock {
      let current = token ?? makeToken()
      token = current
      return current
    }
    registrar.access(self, keyPath: read)
    return !isKnownUniquelyReferenced(&read)
  }

  // A function of its own, so that the token isn't held after it.
  @inline(never)
  private func reportChange() {
    guard let token = currentToken else { return }
    registrar.didSet(self, keyPath: token)
  }

  private var currentToken: Token? { lock.withLock { token } }

  // The argument keeps the compiler from making one key path for all calls.
  private func makeToken(_ argument: Int = 0) -> Token { \.[token: argument] }

  private subscript(token argument: Int) -> Void { () }
}
#endif
