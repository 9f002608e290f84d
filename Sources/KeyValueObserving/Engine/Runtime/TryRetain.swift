#if !canImport(ObjectiveC)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

// Functions of Swift's runtime that the language has no names for. They are nil where they can't be found, as in a
// program that links the standard library statically.

/// Retains an object and returns it, or nil if its `deinit` has begun. Its memory must still exist.
let tryRetain: (@convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?)? = {
  #if os(Windows)
  nil
  #else
  dlsym(nil, "swift_tryRetain").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?).self)
  }
  #endif
}()

/// Whether the `deinit` of an object has begun. Its memory must still exist.
let isDeallocating: (@convention(c) (UnsafeMutableRawPointer) -> Bool)? = {
  #if os(Windows)
  nil
  #else
  dlsym(nil, "swift_isDeallocating").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutableRawPointer) -> Bool).self)
  }
  #endif
}()
#endif
