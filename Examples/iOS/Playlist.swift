#if canImport(UIKit)
import KVOController

/// A song in a playlist.
final class Song: KeyValueObject {
  @Observed var title: String
  @Observed var rating: Int?

  init(_ title: String, rating: Int? = nil) {
    self.title = title
    self.rating = rating
  }
}

/// The model of the playlist screen. It is changed on the main actor only.
final class Playlist: KeyValueObject {
  @Observed var name: String
  @Observed private(set) var songs: [Song]

  init(_ name: String, songs: [Song] = []) {
    self.name = name
    self.songs = songs
  }

  /// "Road trip, 3 songs"
  var summary: String { "\(name), \(songs.count) \(songs.count == 1 ? "song" : "songs")" }

  // MARK: Changing the songs

  // Changes through the proxy notify of what was inserted or removed, and where. A plain `songs.insert(song, at: 0)`
  // notifies too, but of the whole array.

  func insert(_ song: Song, at index: Int) {
    mutableArrayValue(forKey: "songs").insert(song, at: index)
  }

  func remove(at index: Int) {
    mutableArrayValue(forKey: "songs").removeObject(at: index)
  }

  // MARK: Key-Value Observing

  override class var keyPaths: [String: AnyKeyPath] { ["summary": \Playlist.summary] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "summary" ? ["name", "songs"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
#endif
