#if !canImport(ObjectiveC)
import Synchronization

/// The one word that an object needs to be observed.
///
/// It contains the address of the object's ``ObservationInfo``, which it owns, and in its lowest bits whether setters
/// and getters must notify the engine. So an accessor of an unobserved property only tests a bit, even after the last
/// observer was removed.
///
/// Two more bits are for Observation: whether the object's class conforms to `Observable`, and whether a read of the
/// object was ever tracked. The latter means for an object of another class that it is idle.
///
/// Only this type turns the word into a reference. That is sound because an info is created at most once, stays in the
/// word until the object is deallocated, and is read only by callers that retain the object.
@usableFromInline
struct ObservationSlot: ~Copyable, Sendable {
  @usableFromInline
  let word: Atomic<UInt>

  /// The bits of the word that aren't part of the address.
  @frozen
  @usableFromInline
  struct Flags: OptionSet {
    @usableFromInline let rawValue: UInt

    @inlinable
    init(rawValue: UInt) { self.rawValue = rawValue }

    /// Setters must notify the engine.
    @inlinable
    static var observed: Flags { Flags(rawValue: 1) }
    /// Getters must notify the engine.
    @inlinable
    static var tracked: Flags { Flags(rawValue: 2) }
    /// If the object's class conforms to `Observable`, Observation has tracked a read of the object. Otherwise the
    /// object is idle, so setters may use an ``IdleMark``. If no other bit of the word is set, the object is deallocated.
    /// Then no other thread uses it, so its setters do as if it were idle.
    @inlinable
    static var idleOrEverTracked: Flags { Flags(rawValue: 4) }
    /// The object's class conforms to `Observable`.
    @inlinable
    static var observable: Flags { Flags(rawValue: 8) }

    /// The flags of an object whose class conforms to `Observable`, once Observation has tracked a read of it.
    @inlinable
    static var everTracked: Flags { Flags(rawValue: idleOrEverTracked.rawValue | observable.rawValue) }

    /// Whether they are those of an idle object.
    @inlinable
    var areIdle: Bool { rawValue & Flags.everTracked.rawValue == Flags.idleOrEverTracked.rawValue }

    /// Whether at least one of these flags is set.
    // Every accessor calls it, so it uses nothing generic, which is slow in debug builds.
    @inlinable
    func containAny(
      of first: Flags, _ second: Flags = Flags(rawValue: 0), _ third: Flags = Flags(rawValue: 0)
    ) -> Bool {
      rawValue & (first.rawValue | second.rawValue | third.rawValue) != 0
    }
  }

  /// The word of a deallocated object.
  private static let dead = Flags.idleOrEverTracked.rawValue
  private static let allBits: UInt = 0b1111

  /// Creates the word of an unobserved object of a class.
  @inline(__always)
  init(of type: KeyValueObject.Type) {
    #if canImport(Observation)
    word = Atomic(ObservableClasses.contains(type) ? Flags.observable.rawValue : 0)
    #else
    word = Atomic(0)
    #endif
  }

  /// What setters and getters must do.
  @inlinable
  var flags: Flags { Flags(rawValue: word.load(ordering: .relaxed)) }

  /// Whether a setter that has marked its thread may store.
  @inlinable
  var isIdle: Bool { Flags(rawValue: word.load(ordering: .acquiring)).areIdle }

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
    guard Flags(rawValue: bits).containAny(of: .observable) else { return nil }
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
    insert(.idleOrEverTracked)
  }

  /// Records whether the object, which is or was observed, is idle.
  ///
  /// - Returns: Whether that was recorded, which isn't possible if its class conforms to `Observable`.
  @discardableResult
  func setIdle(_ isIdle: Bool) -> Bool {
    guard !flags.containAny(of: .observable) else { return false }
    if isIdle { insert(.idleOrEverTracked) } else { remove(.idleOrEverTracked) }
    return true
  }

  func markObserved() {
    guard !flags.containAny(of: .observed) else { return }
    insert(.observed)
  }

  func setTracked(_ isTracked: Bool) {
    if isTracked { insert(.tracked) } else { remove(.tracked) }
  }

  private func insert(_ flags: Flags) {
    word.bitwiseOr(flags.rawValue, ordering: .releasing)
  }

  private func remove(_ flags: Flags) {
    word.bitwiseAnd(~flags.rawValue, ordering: .releasing)
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

  /// A deallocated object has no bits but those of `dead`.
  private static func pointer(in bits: UInt) -> UnsafeRawPointer? {
    UnsafeRawPointer(bitPattern: bits & ~allBits)
  }
}
#endif
