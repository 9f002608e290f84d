#if !canImport(ObjectiveC)
// Functions of the target `_KVORuntime`, which is in C because Swift has no names for what they use. They aren't imported,
// so that clients don't have to find a module in C.

#if !os(Windows)
/// Retains an object and returns it, or nil if its `deinit` has begun. Its memory must still exist.
@_silgen_name("_kvoTryRetain")
@usableFromInline
func tryRetain(_ object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

/// Whether the `deinit` of an object has begun. Its memory must still exist.
@_silgen_name("_kvoIsDeallocating")
func isDeallocating(_ object: UnsafeMutableRawPointer) -> Bool
#endif

#if os(Linux)
/// Stores a number in the mark of this thread, before anything that is read afterwards.
///
/// - Returns: The mark; nil if the thread has none.
@_silgen_name("_kvoMarkThread")
@usableFromInline
func markThread(_ number: UInt) -> UnsafeRawPointer?

/// Sets the address of this thread's mark.
@_silgen_name("_kvoSetThreadMark")
func setThreadMark(_ mark: UnsafeRawPointer?)
#endif
#endif
