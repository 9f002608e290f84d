#if !canImport(ObjectiveC)
import Builtin

// The check that `assumeIsolated` uses, without trapping.
@_silgen_name("swift_task_isCurrentExecutorWithFlags")
private func isCurrentExecutor(executor: Builtin.Executor, flags: UInt64) -> Bool

/// Whether the running code may touch the actor's state.
func isOnExecutor(of actor: any Actor) -> Bool {
  isCurrentExecutor(executor: actor.unownedExecutor._executor, flags: 0)
    || actor === MainActor.shared && MainQueue.isCurrent
}
#endif
