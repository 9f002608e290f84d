#if !canImport(ObjectiveC)
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Synchronizes accesses of one object: setters store a value and then deliver the change, while the engine reads
/// properties and changes its tables, on any threads.
///
/// - Setters enter the gate. Any number of them can store at the same time, each its own property. Before that they
///   take a snapshot of the observances to notify. Then they end storing and deliver, which may take any time.
/// - One of the setters isn't counted among those who store: an ``ObserverList/Binding`` says which. It records in the
///   list that it stores before it enters, and the owner of the lock waits for it as well.
/// - The owner of the gate's lock has exclusive access to the tables and the properties. To lock the gate, it waits
///   until no setter stores, which only copies a value, and no setter begins to store meanwhile. It never waits for a
///   delivery. It doesn't release data that deliveries may still read, and requests a sweep instead.
/// - The last setter to leave does the sweep that was requested.
/// - The gate of an object whose properties are set often while none is observed becomes idle, until it is locked. Then
///   setters use an ``IdleMark`` instead. They find that in the object's ``ObservationSlot``; the gate's bit is for the
///   owner of the lock.
///
/// Foreign code runs only during deliveries. The state is one atomic word, so a setter needs only three atomic
/// read-modify-write operations, or two if it isn't counted, and the Thread Sanitizer sees the order.
package struct StorageGate: ~Copyable, Sendable {
  private let word = Atomic<UInt64>(0)

  /// The bits of the word.
  package struct State: Equatable {
    package var bits: UInt64

    package init(bits: UInt64) {
      self.bits = bits
    }

    package static let locked: UInt64 = 1
    package static let sweep: UInt64 = 2
    package static let idle: UInt64 = 4
    package static let storing: UInt64 = 8
    package static let delivering: UInt64 = 1 << 32
    /// One of those who had nothing to deliver since the lock was released. When there are many, the highest bit is set.
    package static let quiet: UInt64 = 1 << 57
    private static let manyQuiet: UInt64 = 1 << 63
    fileprivate static let anyQuiet: UInt64 = ~(quiet - 1)

    package var isLocked: Bool { bits & Self.locked != 0 }
    package var needsSweep: Bool { bits & Self.sweep != 0 }
    package var isStoring: Bool { UInt32(truncatingIfNeeded: bits) >= UInt32(Self.storing) }
    package var isDelivering: Bool { bits & ~Self.anyQuiet >= Self.delivering }
    package var isIdle: Bool { bits & Self.idle != 0 }
    /// Whether the caller that left the gate with this result has to sweep.
    package var leavesSweep: Bool { needsSweep && !isDelivering }
    /// Whether the gate may become idle, if nothing is observed.
    package var isLongQuiet: Bool { bits & (Self.manyQuiet | Self.idle) == Self.manyQuiet }
  }

  package init() {}

  package var state: State { State(bits: word.load(ordering: .relaxed)) }

  // MARK: Setters

  /// Begins to store, and to deliver.
  @inline(__always)
  package func enter() {
    let bits = word.wrappingAdd(State.storing + State.delivering, ordering: .acquiring).newValue
    if _slowPath(bits & State.locked != 0) { enterLater() }
  }

  /// Waits for the owner of the lock. The delivery is counted from the beginning, but it has no snapshot yet, so a
  /// sweep meanwhile doesn't affect it.
  @inline(never)
  private func enterLater() {
    var state: State
    repeat {
      word.wrappingSubtract(State.storing, ordering: .relaxed)
      wait { !$0.isLocked }
      state = State(bits: word.wrappingAdd(State.storing, ordering: .acquiring).newValue)
    } while state.isLocked
  }

  /// Begins to deliver, for a setter that has recorded in the object's first ``ObserverList`` that it stores, and isn't
  /// counted.
  ///
  /// - Returns: Whether it may store. If not, it must withdraw the record, and leave.
  @inline(__always)
  package func enterUncounted() -> Bool {
    let bits = word.wrappingAdd(State.delivering, ordering: .acquiringAndReleasing).newValue
    return _fastPath(bits & State.locked == 0)
  }

  /// Begins to store again during the delivery, for such a setter. Doesn't wait.
  ///
  /// - Returns: Whether it may store. If not, it must withdraw the record.
  @inline(__always)
  package func reenterUncounted() -> Bool {
    // An atomic modification, so that either the setter sees the lock, or the owner of the lock sees the record.
    let bits = word.bitwiseOr(0, ordering: .acquiringAndReleasing).newValue
    return _fastPath(bits & State.locked == 0)
  }

  /// Begins to store again during the delivery. Doesn't wait.
  ///
  /// - Returns: Whether it may store.
  package func reenter() -> Bool {
    let bits = word.wrappingAdd(State.storing, ordering: .acquiring).newValue
    guard bits & State.locked != 0 else { return true }
    word.wrappingSubtract(State.storing, ordering: .relaxed)
    return false
  }

  /// Ends storing. The delivery continues.
  @inline(__always)
  package func endStoring() {
    word.wrappingSubtract(State.storing, ordering: .releasing)
  }

  /// Ends the delivery.
  ///
  /// - Returns: Whether the caller has to sweep.
  @inline(__always)
  package func leave() -> Bool {
    State(bits: word.wrappingSubtract(State.delivering, ordering: .acquiringAndReleasing).newValue).leavesSweep
  }

  /// Ends storing, and the delivery, if there is nothing to deliver.
  ///
  /// - Returns: The state, for the caller to see whether it has to sweep, or the gate may become idle.
  @inline(__always)
  package func leaveWithoutDelivery() -> State {
    let difference = State.quiet - State.storing - State.delivering
    return State(bits: word.wrappingAdd(difference, ordering: .acquiringAndReleasing).newValue)
  }

  // MARK: The engine

  /// Waits until no setter stores and the lock is free, and takes it.
  ///
  /// - Returns: Whether the gate was idle, so that the caller has to wait for the marks of setters too.
  package func lock() -> Bool {
    var state = State(bits: word.bitwiseOr(State.locked, ordering: .acquiring).oldValue)
    while _slowPath(state.isLocked) {
      wait { !$0.isLocked }
      state = State(bits: word.bitwiseOr(State.locked, ordering: .acquiring).oldValue)
    }
    if _slowPath(state.isStoring) { wait { !$0.isStoring } }
    guard _slowPath(state.isIdle) else { return false }
    word.bitwiseAnd(~State.idle, ordering: .relaxed)
    return true
  }

  /// Makes the gate idle until the next time that it is locked. The caller must have the lock.
  package func becomeIdle() {
    word.bitwiseOr(State.idle, ordering: .relaxed)
  }

  /// Releases the lock.
  ///
  /// - Returns: Whether the caller has to sweep, because the deliveries for which the sweep was requested have ended.
  package func unlock() -> Bool {
    State(bits: word.bitwiseAnd(~(State.locked | State.anyQuiet), ordering: .acquiringAndReleasing).newValue)
      .leavesSweep
  }

  /// Whether there are deliveries. The caller must have the lock.
  ///
  /// Deliveries that begin afterwards take their snapshots after the lock is released.
  package var isDelivering: Bool { State(bits: word.load(ordering: .acquiring)).isDelivering }

  /// Requests that the last delivery sweeps. The caller must have the lock, and there must be deliveries.
  package func askForSweep() {
    word.bitwiseOr(State.sweep, ordering: .relaxed)
  }

  package func didSweep() {
    word.bitwiseAnd(~State.sweep, ordering: .relaxed)
  }

  @inline(never)
  private func wait(until isOver: (State) -> Bool) {
    Self.wait { isOver(State(bits: word.load(ordering: .acquiring))) }
  }

  /// Waits for another thread, which only copies a value unless it is interrupted.
  static func wait(until isOver: () -> Bool) {
    var attempts = 0
    while !isOver() {
      attempts += 1
      guard attempts > 32 else { continue }
      #if os(Windows)
      Thread.sleep(forTimeInterval: 0)
      #else
      // A thread of higher priority could wait forever for one that doesn't run.
      if attempts.isMultiple(of: 256) { usleep(50) } else { sched_yield() }
      #endif
    }
  }
}
#endif
