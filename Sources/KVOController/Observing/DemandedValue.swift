/// The value that waits for a subscriber's demand: the latest one, because the others are out of date.
///
/// It is a value without a lock: its owner sends what the methods return after releasing its own.
struct DemandedValue<Value> {
  /// How many values the subscriber still wants; nil for all.
  private var demand: Int? = 0
  private var waiting: Value?

  init() {}

  /// - Returns: The value, if it is to be sent now.
  mutating func receive(_ value: Value) -> Value? {
    guard demand != 0 else {
      waiting = value
      return nil
    }
    demand = demand.map { $0 - 1 }
    return value
  }

  /// Adds to the demand.
  ///
  /// - Parameter count: The number of values; nil for all.
  /// - Returns: The value that was waiting, if it is to be sent now.
  mutating func request(_ count: Int?) -> Value? {
    if let count, let demand { self.demand = demand + count } else { demand = nil }
    guard demand != 0, let value = waiting else { return nil }
    waiting = nil
    return receive(value)
  }
}
