import KVOController

/// The model: one clock, observed by any number of views.
final class Clock: KeyValueObject {
  @Observed var date = Date()

  /// Sets the date, which notifies every observer.
  func tick() {
    date = Date()
  }
}
