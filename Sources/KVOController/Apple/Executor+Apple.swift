#if canImport(ObjectiveC)
import Darwin

/// Whether the running code may touch the actor's state.
func isOnExecutor(of actor: any Actor) -> Bool {
  if actor === MainActor.shared, MainQueue.isCurrent { return true }
  guard let currentExecutor else { return false }
  return currentExecutor() == unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self).0
}

/// Returns the identity of the executor on which the running code is, 0 if there is none.
///
/// Swift's runtime has this function since it has actors, but the language offers it only to asynchronous code. An
/// executor is two words; the first one, the identity, is returned where C expects the result.
private let currentExecutor: (@convention(c) () -> UInt)? = {
  let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
  return dlsym(everywhere, "swift_task_getCurrentExecutor").map {
    unsafeBitCast($0, to: (@convention(c) () -> UInt).self)
  }
}()
#endif
