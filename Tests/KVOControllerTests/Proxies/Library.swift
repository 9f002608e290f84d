import KVOController

enum Color: String { case red, green, blue }

/// A model with a to-many property of every sort.
class Library: KeyValueObject, @unchecked Sendable {
  @Observed var numbers: [Int] = []
  @Observed var colors: [Color] = []
  @Observed var nodes: [Node] = []
  @Observed var optionals: [Int?] = []
  @Observed var anything: [Any] = []
  @Observed var maybe: [Int]?
  @Observed var numberSet: Set<Int> = []
  @Observed var colorSet: Set<Color> = []
  @Observed var maybeSet: Set<Int>?
  @Observed var array = NSArray()
  @Observed var mutableArray = NSMutableArray()
  @Observed var maybeArray: NSArray?
  @Observed var maybeMutableArray: NSMutableArray?
  @Observed var set = NSSet()
  @Observed var mutableSet = NSMutableSet()
  @Observed var maybeMutableSet: NSMutableSet?
  @Observed var ordered = NSOrderedSet()
  @Observed var mutableOrdered = NSMutableOrderedSet()
  @Observed var maybeOrdered: NSMutableOrderedSet?
  @Observed var manual: [Int] = []
  @Observed var heads: [Int] = []
  @Observed var title = ""

  /// Computed: the numbers doubled.
  var doubles: [Int] {
    get { numbers.map { $0 * 2 } }
    set { numbers = newValue.map { $0 / 2 } }
  }

  /// Not observed but listed: only KVC notifies of it.
  var plain: [Color]?

  /// Reading only.
  var first: [Int] { Array(numbers.prefix(1)) }

  override class var keyPaths: [String: AnyKeyPath] {
    ["doubles": \Library.doubles, "plain": \Library.plain, "first": \Library.first, "heads": \Library.heads]
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key != "manual" && super.automaticallyNotifiesObservers(forKey: key)
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "doubles", "first": ["numbers"]
    default: super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }
}

/// A model with a collection that only its overrides of KVC can access.
final class Shelf: KeyValueObject, @unchecked Sendable {
  var secrets: NSArray?

  override func value(forUndefinedKey key: String) -> Any? {
    key == "secrets" ? secrets : super.value(forUndefinedKey: key)
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    if key == "secrets" {
      willChangeValue(forKey: key)
      secrets = value as? NSArray
      didChangeValue(forKey: key)
    } else {
      super.setValue(value, forUndefinedKey: key)
    }
  }
}
