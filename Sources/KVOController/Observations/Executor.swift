import CKeyValueObserving

/// Whether the running code may touch the actor's state.
func isOnExecutor(of actor: any Actor) -> Bool {
  if actor === MainActor.shared, MainQueue.isCurrent { return true }
  // The reference consists of two words, the executor's identity and how it is called.
  let executor = unsafeBitCast(actor.unownedExecutor, to: (UnsafeRawPointer?, UInt).self)
  return kvo_is_on_executor(executor.0, executor.1)
}
