// What the samples of documentation comments use, for .ci/samples.
import KVOController
import Observation

final class Clock: KeyValueObject { @Observed var date = Date() }
final class ClockView: KeyValueObject { var date: Date? }
final class Song: KeyValueObject {
  @Observed var title = ""
  @Observed var artist = ""
  @Observed var plays = 0
  @Observed var isPlaying = false
}
final class Chart: KeyValueObject {
  @Observed var points: [Int] = []
  @Observed var title = ""
}
final class AVPlayer: KeyValueObject { @Observed var rate = 0.0 }
final class Screen: KeyValueObject {
  var text = ""
  var isDrawn = true
  func redraw() {}
  func draw() {}
}
final class Editor: KeyValueObject { @Observed var text = "" }
final class Document: KeyValueObject { var isEdited = false }
final class Store: KeyValueObject { var unsavedSongs: Set<Song> = [] }
final class Item: KeyValueObject { @Observed var price = 0 }
final class Cart: KeyValueObject { @Observed var items: [Item] = [] }
final class CartView: KeyValueObject { func redraw(_ item: Item) {} }

protocol View {
  associatedtype Body
  var body: Body { get }
}
struct Text: View {
  init(_ text: String) {}
  var body: Int { 0 }
}
@propertyWrapper struct State<Value> { var wrappedValue: Value }

let (clock, song, player, screen, editor) = (Clock(), Song(), AVPlayer(), Screen(), Editor())
let (document, store, cart, chart, points) = (Document(), Store(), Cart(), Chart(), [1])
let controller = KVOController(observer: clock)
let kvoController = controller
