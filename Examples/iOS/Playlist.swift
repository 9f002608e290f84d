#if canImport(UIKit)
import KVOController

/// A song of a playlist.
final class Song: KeyValueObject {
  @Observed var title: String
  @Observed var rating: Int?

  init(_ title: String) {
    self.title = title
  }
}

/// What the two screens show: it is changed on the main actor.
final class Playlist: KeyValueObject {
  @Observed var name = "Untitled"
  @Observed var songs: [Song] = []
  @Observed var current: Song?
  @Observed var position: TimeInterval = 0
  @Observed var volume = 0.5

  /// "Untitled: 3 songs"
  var summary: String { "\(name): \(songs.count) songs" }

  override class var keyPaths: [String: AnyKeyPath] { ["summary": \Playlist.summary] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "summary" ? ["name", "songs"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
#endif
