#if !canImport(ObjectiveC)
import Synchronization

/// The one word that an object has for its observation.
///
/// It holds the address of the object's ``ObservationInfo``, which the word owns, and in its lowest bits whether
/// setters and getters must attend to it. So an accessor of an unobserved property tests one bit and is done, also
/// after the last observer has left.
///
/// Two more bits serve Observation: whether the object's class conforms to `Observable`, and whether a read of the
/// object was ever tracked.
///
/// This is the only place that turns the word into a reference. That is sound because an info is made at most once,
/// stays in the word until the object dies, and is asked for only by those who hold the object.
@usableFromInline
struct ObservationSlot: ~Copyable, Sendable {
  @usableFromInline
  let word = Atomic<UInt>(0)

  private static let attended: UInt = 1
  private static let tracked: UInt = 2
  /// A dead object has no info. One that has is tracked with this bit.
  private static let dead: UInt = 4
  private static let everTracked: UInt = 4
  private static let observable: UInt = 8

  /// Whether a setter must tell the engine, or Observation, of what it does.
  @inlinable
  var isAttended: Bool {
    word.load(ordering: .relaxed) & (1 | 4) != 0
  }

  /// Whether a setter must tell the engine of what it does.
  @inlinable
  var isObserved: Bool {
    word.load(ordering: .relaxed) & 1 != 0
  }

  /// Whether an access in place must do more than to lend out the value.
  @inlinable
  var isAttendedOrObservable: Bool {
    word.load(ordering: .relaxed) & (1 | 4 | 8) != 0
  }

  /// Whether the object's class conforms to `Observable`.
  @inlinable
  var isObservable: Bool {
    word.load(ordering: .relaxed) & 8 != 0
  }

  /// Whether Observation has tracked a read of the object.
  @inlinable
  var isEverTracked: Bool {
    word.load(ordering: .relaxed) & 4 != 0
  }

  /// Whether a getter must tell the engine of what it does.
  @inlinable
  var isTracked: Bool {
    word.load(ordering: .relaxed) & 2 != 0
  }

  /// Whether a getter must do more than to read.
  @inlinable
  var isTrackedOrObservable: Bool {
    word.load(ordering: .relaxed) & (2 | 8) != 0
  }

  /// Whether the base class's `deinit` has begun.
  var isDead: Bool {
    word.load(ordering: .relaxed) == Self.dead
  }

  /// The object's info, or nil if none was needed yet or the object is dead.
  var info: ObservationInfo? {
    Self.info(in: word.load(ordering: .acquiring))
  }

  /// The object's info without a reference of its own, for as long as the caller holds the object.
  var borrowedInfo: Unmanaged<ObservationInfo>? {
    Self.pointer(in: word.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
  }

  /// The object's info, made by `make` if there is none yet; nil if the object is dead.
  func info(orMake make: () -> ObservationInfo) -> ObservationInfo? {
    let bits = word.load(ordering: .acquiring)
    if let info = Self.info(in: bits) { return info }
    guard bits != Self.dead else { return nil }
    let made = Unmanaged.passRetained(make())
    let (exchanged, original) = word.compareExchange(
      expected: bits, desired: UInt(bitPattern: made.toOpaque()) | bits, ordering: .acquiringAndReleasing)
    guard !exchanged else { return made.takeUnretainedValue() }
    made.release()
    return Self.info(in: original)
  }

  /// Says that the object's class conforms to `Observable`. To be called before anybody else knows the object.
  func setObservable() {
    word.store(Self.observable, ordering: .relaxed)
  }

  /// Says that Observation has tracked a read of the object, which has an info.
  func setEverTracked() {
    word.bitwiseOr(Self.everTracked, ordering: .releasing)
  }

  func markObserved() {
    guard word.load(ordering: .relaxed) & Self.attended == 0 else { return }
    word.bitwiseOr(Self.attended, ordering: .releasing)
  }

  func setTracked(_ isTracked: Bool) {
    if isTracked {
      word.bitwiseOr(Self.tracked, ordering: .releasing)
    } else {
      word.bitwiseAnd(~Self.tracked, ordering: .releasing)
    }
  }

  /// Ends the word's life and hands over the info that it owned.
  func die() -> ObservationInfo? {
    let bits = word.exchange(Self.dead, ordering: .acquiringAndReleasing)
    guard let pointer = Self.pointer(in: bits) else { return nil }
    return Unmanaged<ObservationInfo>.fromOpaque(pointer).takeRetainedValue()
  }

  private static func info(in bits: UInt) -> ObservationInfo? {
    pointer(in: bits).map { Unmanaged<ObservationInfo>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func pointer(in bits: UInt) -> UnsafeRawPointer? {
    bits == dead ? nil : UnsafeRawPointer(bitPattern: bits & ~(attended | tracked | everTracked | observable))
  }
}
#endif
