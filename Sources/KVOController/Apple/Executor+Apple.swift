#if canImport(ObjectiveC)
import Darwin

/// Whether the running code may touch the actor's state.
func isOnExecutor(of actor: any Actor) -> Bool {
  if actor === MainActor.shared, MainQueue.isCurrent { return true }
  guard let currentExecutor else { return false }
  return currentExecutor() == unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self).0
}

/// Tells the identity of the executor that the running code is on, 0 if it is on none.
///
/// The runtime has had this since actors exist, but Swift offers it only to asynchronous code. An executor is two
/// words, of which the first, the identity, comes back where C expects the result.
private let currentExecutor: (@convention(c) () -> UInt)? = {
  let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
  return dlsym(everywhere, "swift_task_getCurrentExecutor").map {
    unsafeBitCast($0, to: (@convention(c) () -> UInt).self)
  }
}()
#endif
