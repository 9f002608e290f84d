#if !canImport(ObjectiveC)
import Builtin
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes what goes by the address of a property an access of it, so that Swift stops the process if it overlaps another.
///
/// The compiler checks each access that is written as one (`model.items.sort { … }`) against all others that this
/// thread has begun. It can't see those of the engine, which knows a property only by its address. So the engine says
/// when it reads or writes one. Both are over before anything else happens, so there is nothing to end.
///
/// The check is that of the standard library's own key paths, which also reach properties by their addresses: two
/// built-in functions of the compiler, and on Apple platforms the function of the runtime that these call. Where that
/// can't be found, nothing is checked.
enum ExclusiveAccess {
  /// Stops the process if the property at `address` is being modified.
  @inline(__always)
  static func read(_ address: UnsafeRawPointer) {
    #if !canImport(ObjectiveC)
    Builtin.performInstantaneousReadAccess(address._rawValue, UInt8.self)
    #else
    begin?(UnsafeMutableRawPointer(mutating: address), nil, 0, nil)
    #endif
  }

  /// Stops the process if the property at `address` is being read or modified.
  @inline(__always)
  static func modify(_ address: UnsafeRawPointer) {
    #if !canImport(ObjectiveC)
    // Room for the runtime's note of an access that is under way: three words.
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
  /// `swift_beginAccess(pointer, buffer, flags, pc)`: bit 0 of the flags stands for a modification, and without bit 5 the
  /// access isn't tracked, so that it needs neither a buffer nor an end.
  private static let begin = dlsym(UnsafeMutableRawPointer(bitPattern: -2), "swift_beginAccess").map {
    unsafeBitCast(
      $0,
      to: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?, UInt, UnsafeRawPointer?) -> Void).self)
  }
  #endif
}
