import KVOController
import Observation

/// A model for Key-Value Observing and for Observation.
final class ObservableModel: KeyValueObject, Observable {
  @Observed var number = 0
}
