#if !canImport(ObjectiveC)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Retains an object and gives it back, or nil if its `deinit` has begun. Its memory must still be there.
///
/// It is a function of Swift's runtime that Swift has no name for. It is nil where it can't be found, as in a program
/// that has the standard library linked in.
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
