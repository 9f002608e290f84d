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

/// A model and its observer, with the module's name before each of the module's types.
open class Shelf: KVOController.KeyValueObject {
  /// A song.
  @KVOController.Observed public var song: Song?
  /// The song that was here before.
  @KVOController.ObservedWeak public var former: Song?
  /// The controllers of other observers, under both names.
  public private(set) var controllers: [KVOController.FBKVOController: KVOController.KVOController] = [:]
  /// The observation of a song.
  public private(set) var observation: KVOController.KVOObservation?
  /// The latest change of a title.
  public private(set) var change: KVOController.KVOChange<String>?
  /// A block for a controller.
  public let block: KVOController.FBKVONotificationBlock = { _, _, _ in }

  /// Observes the title of a song.
  public func observe(_ song: Song) {
    observation = observe(song, \.title) { shelf, _, change in shelf.change = change }
  }

  /// The shelf, as an observer.
  public var observer: any KVOController.KVOObserver { self }

  /// Returns an object that can be observed.
  public func observable<Object: KVOController.KeyValueObservable>(_ object: Object) -> Object { object }
}

#if canImport(Observation)
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension Shelf {
  /// The song, for views.
  public var observableSong: KVOController.KVOObservable<Song>? { song.map { KVOController.KVOObservable($0) } }
}
#endif
