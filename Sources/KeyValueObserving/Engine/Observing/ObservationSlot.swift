#if !canImport(ObjectiveC)
import Synchronization

/// The one word that an object needs to be observed.
///
/// It contains the address of the object's ``ObservationInfo``, which it owns, and in its lowest bits whether setters
/// and getters must notify the engine. So an accessor of an unobserved property only tests a bit, even after the last
/// observer was removed.
///
/// Two more bits are for Observation: whether the object's class conforms to `Observable`, and whether a read of the
/// object was ever tracked.
///
/// Only this type turns the word into a reference. That is sound because an info is created at most once, stays in the
/// word until the object is deallocated, and is read only by callers that retain the object.
@usableFromInline
struct ObservationSlot: ~Copyable, Sendable {
  @usableFromInline
  let word: Atomic<UInt>

  /// Bits of the word that setters test.
  @frozen
  @usableFromInline
  struct Flags: OptionSet {
    @usableFromInline let rawValue: UInt

    @inlinable
    init(rawValue: UInt) { self.rawValue = rawValue }

    /// The engine must be notified.
    @inlinable
    static var observed: Flags { Flags(rawValue: 1) }
    /// Observation has tracked a read of the object, whose class conforms to `Observable`.
    @inlinable
    static var everTracked: Flags { Flags(rawValue: 4 | 8) }
    /// Of the bits of ``everTracked``, the one that an object has while setters may use an ``IdleMark``.
    @inlinable
    static var idle: Flags { Flags(rawValue: 4) }
  }

  private static let observed: UInt = 1
  private static let tracked: UInt = 2
  /// Without an info, this bit means that the object is deallocated; with an info, that the object was ever tracked if
  /// its class conforms to `Observable`, and otherwise that it is idle.
  private static let dead: UInt = 4
  private static let everTracked: UInt = 4
  private static let idle: UInt = 4
  private static let observable: UInt = 8
  private static let allBits = observed | tracked | everTracked | observable

  /// Creates the word of an unobserved object of a class.
  @inline(__always)
  init(of type: KeyValueObject.Type) {
    #if canImport(Observation)
    word = Atomic(ObservableClasses.contains(type) ? Self.observable : 0)
    #else
    word = Atomic(0)
    #endif
  }

  /// What setters must do.
  @inlinable
  var flags: Flags { Flags(rawValue: word.load(ordering: .relaxed)) }

  /// Whether the base class's `deinit` has begun.
  var isDead: Bool {
    word.load(ordering: .relaxed) == Self.dead
  }

  /// The object's info; nil if none was needed yet, or if the object is deallocated.
  var info: ObservationInfo? {
    Self.info(in: word.load(ordering: .acquiring))
  }

  /// The object's info, unretained. It is valid as long as the caller retains the object.
  var borrowedInfo: Unmanaged<ObservationInfo>? {
    let bits = word.load(ordering: .acquiring)
    guard let address = UnsafeRawPointer(bitPattern: bits & ~Self.allBits) else { return nil }
    return .fromOpaque(address)
  }

  /// The info of an object whose class conforms to `Observable`, unretained.
  @inline(__always)
  var borrowedObservableInfo: Unmanaged<ObservationInfo>? {
    let bits = word.load(ordering: .acquiring)
    guard bits & Self.observable != 0 else { return nil }
    return Self.pointer(in: bits).map(Unmanaged.fromOpaque)
  }

  /// The object's info, created by `make` if there is none yet; nil if the object is deallocated.
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

  /// Records that Observation has tracked a read of the object, which must have an info.
  func setEverTracked() {
    guard !flags.contains(.everTracked) else { return }
    word.bitwiseOr(Self.everTracked, ordering: .releasing)
  }

  /// Records whether the object, which is or was observed, is idle.
  ///
  /// - Returns: Whether that was recorded, which isn't possible if its class conforms to `Observable`.
  @discardableResult
  func setIdle(_ isIdle: Bool) -> Bool {
    guard word.load(ordering: .relaxed) & Self.observable == 0 else { return false }
    if isIdle {
      word.bitwiseOr(Self.idle, ordering: .releasing)
    } else {
      word.bitwiseAnd(~Self.idle, ordering: .releasing)
    }
    return true
  }

  func markObserved() {
    guard word.load(ordering: .relaxed) & Self.observed == 0 else { return }
    word.bitwiseOr(Self.observed, ordering: .releasing)
  }

  func setTracked(_ isTracked: Bool) {
    if isTracked {
      word.bitwiseOr(Self.tracked, ordering: .releasing)
    } else {
      word.bitwiseAnd(~Self.tracked, ordering: .releasing)
    }
  }

  /// Marks the object as deallocated, and returns the info that the word owned.
  func die() -> ObservationInfo? {
    let bits = word.exchange(Self.dead, ordering: .acquiringAndReleasing)
    guard let pointer = Self.pointer(in: bits) else { return nil }
    return Unmanaged<ObservationInfo>.fromOpaque(pointer).takeRetainedValue()
  }

  private static func info(in bits: UInt) -> ObservationInfo? {
    pointer(in: bits).map { Unmanaged<ObservationInfo>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A deallocated object has no bit but `dead`.
  private static func pointer(in bits: UInt) -> UnsafeRawPointer? {
    UnsafeRawPointer(bitPattern: bits & ~allBits)
  }
}
#endif
