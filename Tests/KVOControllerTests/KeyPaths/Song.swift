import KVOController
import _KVOTestSupport

enum Mood: Int {
  case calm, merry, wild
}

enum Style: String {
  case plain, bold
}

struct Extent: Equatable {
  var width = 1
  var height = 2
  var area: Int { width * height }
}

/// A model that is observed by typed key paths.
class Song: KeyValueObject, @unchecked Sendable {
  @Observed var title = ""
  @Observed var plays = 0
  @Observed var rating: Int?
  @Observed var mood = Mood.calm
  @Observed var style: Style?
  @Observed var tags: [String] = []
  @Observed var marks: Set<Int> = []
  @Observed var extent = Extent()
  @Observed var next: Song?
  @Observed var band: Band?
  @Observed var isShort = false
  @Observed var parts: [Song] = []
  /// Not observable.
  var plain = 0
  var plainExtent = Extent()
  let number: Int
  /// Runs at the end of this object.
  var whenReleased: ((Song) -> Void)?

  init(_ title: String = "", plays: Int = 0, next: Song? = nil, number: Int = 0) {
    self.number = number
    super.init()
    self.title = title
    self.plays = plays
    self.next = next
  }

  deinit {
    whenReleased?(self)
  }

  /// Listed in `keyPaths`, with what it depends on.
  var caption: String { "\(title) (\(plays))" }

  // Listed nowhere.
  var headline: String { title.uppercased() }
  var label: String { isShort ? title : "\(title) by \(band?.name ?? "nobody")" }
  var totalPlays: Int { parts.reduce(0) { $0 + $1.plays } }
  var successor: Song? { next ?? parts.first }

  override class var keyPaths: [String: AnyKeyPath] { ["caption": \Song.caption] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "caption" ? ["title", "plays"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

/// A subclass that inherits keys and adds one.
final class LiveSong: Song, @unchecked Sendable {
  @Observed var venue = ""
}

/// An object on a path.
final class Band: KeyValueObject, @unchecked Sendable {
  @Observed var name: String

  init(_ name: String) {
    self.name = name
  }
}

/// The changes that a typed handler received, in order.
final class ReceivedChanges<Value>: @unchecked Sendable {
  private let changes = Locked<[KVOChange<Value>]>([])

  func record(_ change: KVOChange<Value>) {
    changes.append(change)
  }

  var all: [KVOChange<Value>] { changes.current }
  var count: Int { all.count }
  var new: [Value?] { all.map(\.newValue) }
  var old: [Value?] { all.map(\.oldValue) }

  /// The new values since the last time.
  func take() -> [Value?] { changes.take().map(\.newValue) }
}

extension KVOController {
  /// Observes so that each change is recorded.
  func listen<Object: KeyValueObservable, Value>(
    to object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil
  ) -> (ReceivedChanges<Value>, KVOObservation) {
    let received = ReceivedChanges<Value>()
    let observation = observe(object, keyPath, options: options, identifier: identifier, isolation: nil) { _, change in
      received.record(change)
    }
    return (received, observation)
  }
}
