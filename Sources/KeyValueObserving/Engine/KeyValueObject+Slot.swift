#if !canImport(ObjectiveC)
/// The bits of the object's ``ObservationSlot``, for the accessors of ``Observed``.
extension KeyValueObject {
  /// Whether setters must notify the engine or Observation.
  @inlinable
  final var isObservedOrTracked: Bool { slot.flags.containAny(of: .observed, .idleOrEverTracked) }

  /// Whether in-place accesses must notify the engine or Observation.
  @inlinable
  final var isObservedOrObservable: Bool { slot.flags.containAny(of: .observed, .idleOrEverTracked, .observable) }

  /// Whether an in-place mutation that began with `change` must end with notifications.
  @inlinable
  @inline(__always)
  final func mustEndMutation(_ change: ChangeTransaction?) -> Bool { isObservedOrTracked }

  /// Whether the object's class conforms to `Observable`.
  @inlinable
  final var isObservable: Bool { slot.flags.containAny(of: .observable) }

  /// Whether getters must notify the engine.
  @inlinable
  final var isTracked: Bool { slot.flags.containAny(of: .tracked) }

  /// Whether getters must notify the engine or Observation.
  @inlinable
  final var isTrackedOrObservable: Bool { slot.flags.containAny(of: .tracked, .observable) }
}
#endif
