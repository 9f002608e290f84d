#if !canImport(ObjectiveC)
/// Calls `body`. Nothing leaves it but its end.
@inline(__always)
func guarded<Result>(_ body: () -> Result, unwound: () -> Void) -> Result { body() }
#endif
