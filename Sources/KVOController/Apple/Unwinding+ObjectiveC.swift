#if canImport(ObjectiveC)
import CKeyValueObserving

/// Calls `body`.
///
/// - Parameter unwound: Is called if an Objective-C exception leaves `body`, which a caller catches: Foundation raises one for
///   a key that an object doesn't have.
func guarded<Result>(_ body: () -> Result, unwound: () -> Void) -> Result {
  var result: Result?
  // After an exception a closure's reference may be left over, because Swift's functions release nothing then.
  _ = withoutActuallyEscaping({ result = body() }) { body in
    withoutActuallyEscaping(unwound) { unwound in
      var calls = GuardedCalls(body: body, unwound: unwound)
      withUnsafeMutablePointer(to: &calls) { calls in
        kvo_guard(
          { $0.assumingMemoryBound(to: GuardedCalls.self).pointee.body() },
          { $0.assumingMemoryBound(to: GuardedCalls.self).pointee.unwound() }, calls)
      }
    }
  }
  // It has returned, since an exception would have left this function.
  return result.unsafelyUnwrapped
}

/// What is called with the address of a variable of the caller's.
private struct GuardedCalls {
  let body: () -> Void
  let unwound: () -> Void
}
#endif
