import KVOController

/// A model with a weak property.
final class WeakModel: KeyValueObject {
  @ObservedWeak var parent: Plain?
}

/// A model with a weak property that can't be observed.
final class PlainWeakModel: KeyValueObject {
  weak var parent: Plain?
}
