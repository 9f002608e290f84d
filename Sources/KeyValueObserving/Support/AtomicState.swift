#if !canImport(ObjectiveC)
import Synchronization
#endif

/// A state of a few bits that can be read and changed on any thread.
@usableFromInline
struct AtomicState<Bits: OptionSet & Sendable>: ~Copyable, @unchecked Sendable where Bits.RawValue == UInt8 {
  #if canImport(ObjectiveC)
  private let lock = Lock()
  private let bits = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

  init() {
    bits.initialize(to: 0)
  }

  deinit {
    bits.deallocate()
  }

  @usableFromInline var value: Bits { lock.withLock { Bits(rawValue: bits.pointee) } }

  /// Changes the bits by `change`, which may be called several times.
  ///
  /// - Returns: The bits before.
  func update(_ change: (inout Bits) -> Void) -> Bits {
    lock.withLock {
      let former = Bits(rawValue: bits.pointee)
      var changed = former
      change(&changed)
      bits.pointee = changed.rawValue
      return former
    }
  }
  #else
  @usableFromInline let bits = Atomic<UInt8>(0)

  init() {}

  @inlinable
  @inline(__always)
  var value: Bits { Bits(rawValue: bits.load(ordering: .acquiring)) }

  /// Changes the bits by `change`, which may be called several times.
  ///
  /// - Returns: The bits before.
  @inline(__always)
  func update(_ change: (inout Bits) -> Void) -> Bits {
    var former = bits.load(ordering: .acquiring)
    while true {
      var changed = Bits(rawValue: former)
      change(&changed)
      let (isChanged, present) = bits.compareExchange(
        expected: former, desired: changed.rawValue, ordering: .acquiringAndReleasing)
      if isChanged { return Bits(rawValue: former) }
      former = present
    }
  }
  #endif
}
