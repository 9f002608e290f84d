import KVOController
import Scheduler

/// A model object that is counted, and whose `deinit` checks that it isn't released under a lock.
class Counted: KeyValueObject {
  override init() {
    Census.count += 1
    super.init()
  }

  deinit {
    explore_require_no_lock()
    Census.count -= 1
  }
}

/// A node with properties of every kind.
final class Node: Counted {
  @Observed var number = 0
  @Observed var other = 0
  @Observed var manual = 0
  @Observed var child: Node?
  @Observed var items: [Int] = []
  @Observed var tags: Set<Int> = []
  @Observed var token: Token?
  weak var friend: Node?

  init(_ number: Int = 0, child: Node? = nil) {
    self.number = number
    self.child = child
    super.init()
  }

  var sum: Int { number + other }
  var doubled: Int { sum * 2 }
  var childNumber: Int { child?.number ?? 0 }
  var listed: Int {
    get { number }
    set { number = newValue }
  }
  /// Listed, and not observed itself, so that coding notifies.
  private var plain = 0
  var coded: Int {
    get { plain }
    set { plain = newValue }
  }
  /// Not listed: followed by reading.
  var total: Int { number + (child?.number ?? 0) }

  var everything: Int { number + other + (child?.number ?? 0) }
  /// Leads to another object by a reference that isn't observed.
  var friendSum: Int { number + (friend?.number ?? 0) }
  var friendly: Int { number + other + (friend?.number ?? 0) }
  var manualPlus: Int { manual + 1 }
  var countAndOther: Int { items.count + other }

  override class var keyPaths: [String: AnyKeyPath] {
    [
      "sum": \Node.sum, "doubled": \Node.doubled, "childNumber": \Node.childNumber, "listed": \Node.listed,
      "coded": \Node.coded, "manualPlus": \Node.manualPlus, "countAndOther": \Node.countAndOther,
    ]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "sum": ["number", "other"]
    case "doubled": ["sum"]
    case "childNumber": ["child.number"]
    case "listed": ["number"]
    case "manualPlus": ["manual"]
    case "countAndOther": ["items", "other"]
    default: []
    }
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "manual" }
}

/// A value that is an object.
final class Token {
  let number: Int
  init(_ number: Int) {
    self.number = number
    Census.count += 1
  }
  deinit {
    explore_require_no_lock()
    Census.count -= 1
  }
}

/// An observer.
final class Watcher: KVOObserver {
  let log = Log<Int>()
  init() { Census.count += 1 }
  deinit {
    explore_require_no_lock()
    Census.count -= 1
  }
}

/// An observer with a key to bind, and with Foundation's method.
final class Mirror: Counted {
  @Observed var number = -1
  @Observed var maybe: Int?
  let log = Log<Int>()

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {
    log.record(change?[.newKey] as? Int ?? -1)
  }
}
