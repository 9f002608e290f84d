#if !canImport(ObjectiveC)
/// The bits of the object's ``ObservationSlot``, for the accessors of ``Observed``.
extension KeyValueObject {
  /// Whether setters must notify the engine or Observation.
  @inlinable
  final var isObservedOrTracked: Bool { slot.isObservedOrTracked }

  /// Whether in-place accesses must notify the engine or Observation.
  @inlinable
  final var isObservedOrObservable: Bool { slot.isObservedOrObservable }

  /// Whether an in-place mutation that began with `change` must end with notifications.
  @inlinable
  @inline(__always)
  final func mustEndMutation(_ change: ChangeTransaction?) -> Bool { isObservedOrTracked }

  /// Whether the object's class conforms to `Observable`.
  @inlinable
  final var isObservable: Bool { slot.isObservable }

  /// Whether getters must notify the engine.
  @inlinable
  final var isTracked: Bool { slot.isTracked }

  /// Whether getters must notify the engine or Observation.
  @inlinable
  final var isTrackedOrObservable: Bool { slot.isTrackedOrObservable }
}
#endif
