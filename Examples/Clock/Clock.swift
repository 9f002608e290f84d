import KVOController

/// The model: one clock, which any number of views observe.
final class Clock: KeyValueObject {
  @Observed var date = Date()

  /// Sets the date, which is all that it takes to tell every observer.
  func tick() {
    date = Date()
  }
}
