#if !canImport(ObjectiveC)
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Orders what happens to one object: setters store a value and then deliver the change; the engine reads properties and
/// changes its tables on any thread.
///
/// - Setters enter. Any number of them store at the same time, each its own property. Before that they fix whom they
///   will notify. Then they end storing, and deliver, which may take as long as it likes.
/// - Whoever locks the gate has the tables and the properties for itself: it waits until nobody stores, which copies a
///   value and nothing else, and nobody begins to meanwhile. It never waits for a delivery. What deliveries still read
///   it leaves where it is, and asks for a sweep.
/// - The last setter to leave sweeps if that was asked for.
///
/// Foreign code runs only during deliveries. All of this is one atomic word, so that a setter pays for three operations,
/// and the Thread Sanitizer sees what comes before what.
package struct StorageGate: ~Copyable, Sendable {
  private let word = Atomic<UInt64>(0)

  /// What the word says.
  package struct State: Equatable {
    package var bits: UInt64

    package init(bits: UInt64) {
      self.bits = bits
    }

    package static let locked: UInt64 = 1
    package static let sweep: UInt64 = 2
    package static let storing: UInt64 = 4
    package static let delivering: UInt64 = 1 << 32

    package var isLocked: Bool { bits & Self.locked != 0 }
    package var needsSweep: Bool { bits & Self.sweep != 0 }
    package var isStoring: Bool { UInt32(truncatingIfNeeded: bits) >= UInt32(Self.storing) }
    package var isDelivering: Bool { bits >= Self.delivering }
    /// Whether whoever left with this result has to sweep.
    package var leavesSweep: Bool { needsSweep && !isDelivering }
  }

  package init() {}

  package var state: State { State(bits: word.load(ordering: .relaxed)) }

  // MARK: Setters

  /// Begins to store, and to deliver.
  @inline(__always)
  package func enter() {
    let state = State(
      bits: word.wrappingAdd(State.storing + State.delivering, ordering: .acquiring).newValue)
    if _slowPath(state.isLocked) { enterLater() }
  }

  /// Gives way to whoever has the lock. The delivery counts from the beginning: it has fixed nothing yet, so what is
  /// swept meanwhile is nothing of its.
  @inline(never)
  private func enterLater() {
    var state: State
    repeat {
      word.wrappingSubtract(State.storing, ordering: .relaxed)
      wait { !$0.isLocked }
      state = State(bits: word.wrappingAdd(State.storing, ordering: .acquiring).newValue)
    } while state.isLocked
  }

  /// Ends storing; the delivery goes on.
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

  /// Ends storing and the delivery, of which there was nothing.
  @inline(__always)
  package func leaveWithoutDelivery() -> Bool {
    State(bits: word.wrappingSubtract(State.storing + State.delivering, ordering: .acquiringAndReleasing).newValue)
      .leavesSweep
  }

  // MARK: The engine

  /// Waits until nobody stores or has the lock, and takes it.
  package func lock() {
    var state = State(bits: word.bitwiseOr(State.locked, ordering: .acquiring).oldValue)
    while _slowPath(state.isLocked) {
      wait { !$0.isLocked }
      state = State(bits: word.bitwiseOr(State.locked, ordering: .acquiring).oldValue)
    }
    if _slowPath(state.isStoring) { wait { !$0.isStoring } }
  }

  /// Gives the lock back.
  ///
  /// - Returns: Whether the caller has to sweep: those who delivered when that was asked for have left.
  package func unlock() -> Bool {
    State(bits: word.bitwiseAnd(~State.locked, ordering: .acquiringAndReleasing).newValue).leavesSweep
  }

  /// Whether somebody delivers, for whoever has the lock.
  ///
  /// Who begins from then on has fixed nothing before the lock is given back.
  package var isDelivering: Bool { State(bits: word.load(ordering: .acquiring)).isDelivering }

  /// Has the last one to leave sweep, for whoever has the lock and has seen that somebody delivers.
  package func askForSweep() {
    word.bitwiseOr(State.sweep, ordering: .relaxed)
  }

  package func didSweep() {
    word.bitwiseAnd(~State.sweep, ordering: .relaxed)
  }

  /// Waits for what takes no longer than to copy a value, unless the thread that does it was interrupted.
  @inline(never)
  private func wait(until isOver: (State) -> Bool) {
    var attempts = 0
    while !isOver(State(bits: word.load(ordering: .acquiring))) {
      attempts += 1
      guard attempts > 32 else { continue }
      #if os(Windows)
      Thread.sleep(forTimeInterval: 0)
      #else
      // A thread of higher priority would wait forever for one that doesn't run.
      if attempts.isMultiple(of: 256) { usleep(50) } else { sched_yield() }
      #endif
    }
  }
}
#endif
