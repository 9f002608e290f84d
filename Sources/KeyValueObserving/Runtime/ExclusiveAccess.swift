#if !canImport(ObjectiveC)
import Builtin
#elseif canImport(Darwin)
import Darwin
#endif

/// Checks accesses of a property by its address for exclusivity, so that Swift traps if they overlap others.
///
/// The compiler checks accesses in source code (`model.items.sort { … }`) against all others that the thread has begun.
/// It can't check those of the engine, which knows a property only by its address. So the engine reports its reads and
/// writes. Each is over before anything else happens, so its end isn't reported.
///
/// The check is the one that the standard library's key paths use, which also access properties by address: two
/// built-in functions of the compiler, and on Apple platforms the function of the runtime that these call. Where it
/// can't be found, nothing is checked.
enum ExclusiveAccess {
  /// Reports a read. Traps if the property at `address` is being modified.
  @inline(__always)
  static func read(_ address: UnsafeRawPointer) {
    #if !canImport(ObjectiveC)
    Builtin.performInstantaneousReadAccess(address._rawValue, UInt8.self)
    #else
    begin?(UnsafeMutableRawPointer(mutating: address), nil, 0, nil)
    #endif
  }

  /// Reports a modification. Traps if the property at `address` is being read or modified.
  @inline(__always)
  static func modify(_ address: UnsafeRawPointer) {
    #if !canImport(ObjectiveC)
    // The runtime's record of an access takes three words.
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 3) { buffer in
      let buffer = UnsafeMutableRawPointer(buffer.baseAddress!)._rawValue
      Builtin.beginUnpairedModifyAccess(address._rawValue, buffer, UInt8.self)
      Builtin.endUnpairedAccess(buffer)
    }
    #else
    begin?(UnsafeMutableRawPointer(mutating: address), nil, 1, nil)
    #endif
  }

  #if canImport(ObjectiveC)
  /// `swift_beginAccess(pointer, buffer, flags, pc)`: bit 0 of the flags means a modification. Without bit 5 the access
  /// isn't tracked, so it needs neither a buffer nor an end.
  private static let begin = dlsym(UnsafeMutableRawPointer(bitPattern: -2), "swift_beginAccess").map {
    unsafeBitCast(
      $0,
      to: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?, UInt, UnsafeRawPointer?) -> Void).self)
  }
  #endif
}
