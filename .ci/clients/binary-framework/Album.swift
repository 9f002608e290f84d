public import KeyValueObserving

/// A model in a file that has the module under its other name.
open class Album: KeyValueObserving.KeyValueObject {
  /// The songs.
  @KeyValueObserving.Observed public var songs: [Song] = []
  /// The title.
  @Observed public var title = ""
}
