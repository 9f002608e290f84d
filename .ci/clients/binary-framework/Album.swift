public import KeyValueObserving

/// A model of a file that speaks of no controllers.
open class Album: KeyValueObject {
  /// The songs.
  @Observed public var songs: [Song] = []
}
