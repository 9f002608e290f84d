@_exported import KVOController

/// A model and an observer of a binary framework.
open class Song: KeyValueObject {
  /// The title.
  @Observed public var title = ""
  /// How often it was played.
  @Observed open var plays = 0
  @usableFromInline @Observed var hidden = 0
  /// The title and the number of plays.
  public var caption: String { "\(title): \(plays)" }
  open override class var keyPaths: [String: AnyKeyPath] { ["caption": \Song.caption] }
}

/// An observer that collects titles.
public final class Player: KeyValueObject {
  /// The titles that songs have had.
  public private(set) var titles: [String] = []
  /// No controllers: the type is in the interface.
  public let controllers: [KVOController] = []

  /// Observes the title of a song.
  public func play(_ song: Song) {
    kvoController.observe(song, \.title, options: [.initial, .new]) { (player: Player, _, change) in
      player.titles.append(change.newValue ?? "")
    }
  }

  /// The numbers of plays of a song.
  @inlinable public func values(of song: Song) -> AsyncStream<Int> { kvoController.values(of: song, \.plays) }
  /// Sets the number of plays to 0.
  @inlinable public func restart(_ song: Song) { song.plays = 0 }
}
