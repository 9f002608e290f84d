@_exported import KVOController

/// A model and an observer of a binary framework.
open class Song: KeyValueObject {
  @Observed public var title = ""
  @Observed open var plays = 0
  @usableFromInline @Observed var hidden = 0
  public var caption: String { "\(title): \(plays)" }
  open override class var keyPaths: [String: AnyKeyPath] { ["caption": \Song.caption] }
}

public final class Player: KeyValueObject {
  public private(set) var titles: [String] = []
  public let controllers: [KVOController] = []

  public func play(_ song: Song) {
    kvoController.observe(song, \.title, options: [.initial, .new]) { (player: Player, _, change) in
      player.titles.append(change.newValue ?? "")
    }
  }

  @inlinable public func values(of song: Song) -> AsyncStream<Int> { kvoController.values(of: song, \.plays) }
  @inlinable public func restart(_ song: Song) { song.plays = 0 }
}
