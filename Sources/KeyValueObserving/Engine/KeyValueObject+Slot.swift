#if !canImport(ObjectiveC)
import Synchronization

/// The bits of the object's ``ObservationSlot``, for the accessors of ``Observed``.
extension KeyValueObject {
  /// Whether setters must notify the engine or Observation.
  @inlinable
  final var isObservedOrTracked: Bool { slot.word.load(ordering: .relaxed) & (1 | 4) != 0 }

  /// Whether in-place accesses must notify the engine or Observation.
  @inlinable
  final var isObservedOrObservable: Bool { slot.word.load(ordering: .relaxed) & (1 | 4 | 8) != 0 }

  /// Whether an in-place mutation that began with `change` must end with notifications.
  @inlinable
  @inline(__always)
  final func mustEndMutation(_ change: ChangeTransaction?) -> Bool { isObservedOrTracked }

  /// Whether the object's class conforms to `Observable`.
  @inlinable
  final var isObservable: Bool { slot.word.load(ordering: .relaxed) & 8 != 0 }

  /// Whether getters must notify the engine.
  @inlinable
  final var isTracked: Bool { slot.word.load(ordering: .relaxed) & 2 != 0 }

  /// Whether getters must notify the engine or Observation.
  @inlinable
  final var isTrackedOrObservable: Bool { slot.word.load(ordering: .relaxed) & (2 | 8) != 0 }
}
#endif
