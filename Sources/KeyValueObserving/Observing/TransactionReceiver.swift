/// An observance that a ``ChangeTransaction`` affects.
struct TransactionReceiver {
  let observance: Observance
  /// Whether the observer receives the key's own value.
  let seesKey: Bool
  var old = ChangedValue.notRequested
  /// Whether it is ready for the change: its old value was read, and its prior call made.
  var isPrepared = false
  /// Whether it was passed over then, because an in-place mutation has yet to notify it. It may read the property that is being
  /// mutated.
  var isPassedOver = false
  var isPriorSent = false
  /// Whether it hasn't reported yet that another change has led its path elsewhere.
  var isLedAway = false
}
