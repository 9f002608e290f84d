#if !canImport(ObjectiveC)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Retains an object and returns it, or nil if its `deinit` has begun. Its memory must still exist.
///
/// This is a function of Swift's runtime that the language has no name for. It is nil where it can't be found, as in a
/// program that links the standard library statically.
let tryRetain: (@convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?)? = {
  #if os(Windows)
  nil
  #else
  dlsym(nil, "swift_tryRetain").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?).self)
  }
  #endif
}()
#endif
