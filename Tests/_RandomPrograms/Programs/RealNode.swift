import KVOController

/// An observer that reports its calls to its world.
class RealObserver: KeyValueObject {
  let id: Int
  unowned let world: RealWorld

  init(_ world: RealWorld, id: Int) {
    self.world = world
    self.id = id
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    world.called(
      Event(
        observer: id, context: Int(bitPattern: context), root: (object as? RealNode)?.id ?? -1, keyPath: keyPath ?? "",
        change: change ?? [:]))
  }
}

/// A node with observed properties, and keys of every other sort.
class RealNode: RealObserver {
  @Observed var number = 0
  @Observed var name = ""
  @Observed var maybe: Int?
  @Observed var ping = 0
  @Observed var pong = 0
  @Observed var manual = 0
  @Observed var lines: [Int] = []
  @Observed var child: RealNode?
  @Observed var next: RealNode?
  @Observed var guide: RealNode?
  @Observed var items: [Int] = []
  @Observed var kids: [RealNode] = []
  @Observed var tags: Set<Int> = []
  @Observed var ordered: NSOrderedSet?
  @Observed var rank = 0
  @Observed private var secret = 0
  @Observed var boxes: [Box] = []
  weak var friend: RealNode? { didSet { hasFriend = friend != nil } }
  /// Whether a friend was set, which may have been deallocated since.
  var hasFriend = false
  var note = ""

  /// Released with every array that contained it.
  struct Box {
    let label = Tripwire()
    let node: RealNode
  }

  // Neither is listed: only key paths lead there.
  final var total: Int { number + (child?.number ?? 0) + (maybe ?? 0) }
  final var boxSum: Int { boxes.reduce(0) { $0 + $1.node.number } }

  static let hidden = TypedKeyPath(\.secret)
  static let hiddenOfChild = TypedKeyPath(\.child?.secret)
  /// The property of this class, also in nodes of the special one.
  final var hidden: Int {
    get { secret }
    set { secret = newValue }
  }
  /// The property that the name leads to.
  var namedSecret: Int {
    get { secret }
    set { secret = newValue }
  }

  var doubled: Int { manual * 2 }
  var sum: Int { number + (child?.number ?? 0) }
  var label: String { "\(name):\(sum)" }
  var left: Int { number + 1 }
  var right: Int { number + (maybe ?? 0) }
  var bottom: Int { left + right + number - 1 }
  var chosen: RealNode? { number.isMultiple(of: 2) ? child : self }
  var echo: Int { number }
  var nextLabel: String? { next?.value(forKey: "label") as? String }
  var chosenSum: Int? { chosen?.sum }
  var guideName: String? { guide?.name }
  var kidCount: Int { kids.count }
  var lineCount: Int { lines.count }
  var noteLength: Int { note.count }
  var reach: Int {
    get { number + (next?.number ?? 0) + (maybe ?? 0) }
    set { number = newValue }
  }
  var title: String {
    get { "\(name)-\(number)" }
    set {
      name = newValue
      number = newValue.count
    }
  }
  var doubles: [Int] {
    get { items.map { $0 * 2 } }
    set { items = newValue.map { $0 / 2 } }
  }

  class var type: Key.Class { .plain }

  override class var keyPaths: [String: AnyKeyPath] {
    [
      "doubled": \RealNode.doubled, "sum": \RealNode.sum, "label": \RealNode.label, "left": \RealNode.left,
      "right": \RealNode.right, "bottom": \RealNode.bottom, "chosen": \RealNode.chosen, "echo": \RealNode.echo,
      "nextLabel": \RealNode.nextLabel, "chosenSum": \RealNode.chosenSum, "guideName": \RealNode.guideName,
      "kidCount": \RealNode.kidCount, "lineCount": \RealNode.lineCount, "noteLength": \RealNode.noteLength,
      "title": \RealNode.title, "doubles": \RealNode.doubles, "friend": \RealNode.friend, "note": \RealNode.note,
      "reach": \RealNode.reach,
    ]
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    Key(rawValue: key)?.isAutomatic(in: type) ?? true
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    Set(Key(rawValue: key)?.declaredDependencies(in: type).map(\.description) ?? [])
  }

  override func value(forUndefinedKey key: String) -> Any? {
    key == "ghost" ? number * 100 : super.value(forUndefinedKey: key)
  }

  override func setNilValueForKey(_ key: String) {
    if key == "number" { number = 0 } else { super.setNilValueForKey(key) }
  }
}

/// A node that has a say in what its class is asked.
final class RealSpecialNode: RealNode {
  override class var type: Key.Class { .special }

  // Without this the name would mean the superclass's property.
  override class var keyPaths: [String: AnyKeyPath] { ["rank": \RealSpecialNode.rank] }

  @Observed private var secret = 0

  override var namedSecret: Int {
    get { secret }
    set { secret = newValue }
  }

  override var rank: Int {
    get { (maybe ?? 0) + (next?.number ?? 0) }
    set { maybe = newValue }
  }

  override var sum: Int { super.sum + (maybe ?? 0) }

  override func value(forKey key: String) -> Any? {
    key == "label" ? "special \(label)" : super.value(forKey: key)
  }
}
