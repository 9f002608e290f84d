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
  private var isUnobservable = false
  /// The threads that are beginning an observation. What they read meanwhile, such as the property that an override
  /// reads, doesn't begin another one.
  private var beginningThreads: Set<UInt> = []

  /// A number that was drawn when it was made.
  private let drawn = UInt(truncatingIfNeeded: kvo_next_number())

  override init() { ReportedChange.keyIsMade() }

  /// Whether its value is observed, and a change is reported on this thread that may reach it.
  var isReached: Bool { ReportedChange.isReported(to: drawn) && isInUse }

  /// Whether the value is observed, or its read was tracked in vain. Observation keeps a tracking of a key path whose object is
  /// deallocated before the tracking begins.
  var isInUse: Bool { withLock { endObservation != nil || !beginningThreads.isEmpty || isUnobservable } }

  /// Reports a read, and begins the observation if the read is tracked. Call it before the value is read.
  ///
  /// - Parameter begin: Begins an observation that calls ``willChange()`` and ``didChange()``. It returns nil if the
  ///   key path can't be observed; then it isn't called again.
  func access(begin: () -> End?) {
    guard isReadTracked(), withLock({ endObservation == nil && !isUnobservable }) else { return }
    let thread = CurrentThread.identity
    guard withLock({ beginningThreads.insert(thread).inserted }) else { return }
    let begun = begin()
    // Two threads may have begun concurrently; one of the observations is superfluous.
    let endSuperfluous: End? = withLock {
      beginningThreads.remove(thread)
      isUnobservable = begun == nil
      guard endObservation == nil else { return begun }
      endObservation = begun
      return nil
    }
    endSuperfluous?()
  }

  func willChange() {
    guard let token = currentToken else { return }
    ReportedChange.report { registrar.willSet(self, keyPath: token) }
  }

  /// Reports that the value has changed, and ends the observation if the key path isn't tracked any longer.
  func didChange() {
    reportChange()
    let end: End? = withLock {
      guard token == nil else { return nil }
      defer { endObservation = nil }
      return endObservation
    }
    end?()
  }

  /// Reports a read, or one that stands for another key path's.
  ///
  /// - Returns: Whether the read is tracked. It may also be true for concurrent reads on several threads.
  func isReadTracked() -> Bool {
    var read = withLock {
      let current = token ?? makeToken()
      token = current
      return current
    }
    registrar.access(self, keyPath: read)
    return !isKnownUniquelyReferenced(&read)
  }

  // A separate function, so that the token isn't retained after it returns.
  @inline(never)
  private func reportChange() {
    guard let token = currentToken else { return }
    registrar.didSet(self, keyPath: token)
  }

  private var currentToken: Token? { withLock { token } }

  // The argument prevents the compiler from sharing one key path among all calls.
  private func makeToken(_ argument: Int = 0) -> Token { \.[token: argument] }

  private subscript(token argument: Int) -> Void { () }
}

/// A change that is being reported to Observation on a thread.
///
/// An observer that is notified may at once track again the keys that the change has yet to reach. It must not be notified of
/// the same change then.
enum ReportedChange {
  /// The number that is drawn next when the latest report on this thread begins; 0 outside of reports.
  private static let began = ThreadLocal()
  private static let keys = LockedObject()
  /// Whether there was a key to be tracked again. Otherwise changes don't need to be distinguished.
  private static var hasKeys: Bool { keys.sharedNumber != 0 }

  static func keyIsMade() { keys.sharedNumber = 1 }

  /// Calls `body`, which reports that a change is about to happen.
  @inline(__always)
  static func report(_ body: () -> Void) {
    if hasKeys { reportNumbered(body) } else { body() }
  }

  @inline(never)
  private static func reportNumbered(_ body: () -> Void) {
    let former = began.value
    began.value = max(1, UInt(truncatingIfNeeded: kvo_latest_number()) &+ 1)
    defer { began.value = former }
    body()
  }

  /// Whether a change is being reported on this thread which began after a number was drawn.
  static func isReported(to number: UInt) -> Bool {
    began.value != 0 && Int(bitPattern: number &- began.value) < 0
  }
}
#endif
