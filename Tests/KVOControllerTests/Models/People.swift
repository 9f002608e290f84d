import KVOController
import _KVOTestSupport

/// A link of key paths.
class Node: RegisteredObject, @unchecked Sendable {
  @Observed var name = ""
  @Observed var number = 0
  @Observed var child: Node?
  @Observed var optional: Int?
  @Observed var items: [Int] = []
  weak var friend: Node?

  convenience init(_ name: String, number: Int = 0, child: Node? = nil) {
    self.init()
    self.name = name
    self.number = number
    self.child = child
  }

  /// The friend is computed, as it were: only KVC and pairs notify of it.
  override class var keyPaths: [String: AnyKeyPath] { ["friend": \Node.friend] }
}

/// A model with dependent keys.
class Person: RegisteredObject, @unchecked Sendable {
  @Observed var first = ""
  @Observed var last = ""
  @Observed var age = 0

  convenience init(_ first: String, _ last: String) {
    self.init()
    self.first = first
    self.last = last
  }

  var fullName: String {
    get { "\(first) \(last)" }
    set {
      let parts = newValue.split(separator: " ").map { String($0) }
      first = parts.first ?? ""
      last = parts.count > 1 ? parts[1] : ""
    }
  }

  var greeting: String { "Dear \(fullName)" }

  override class var keyPaths: [String: AnyKeyPath] {
    ["fullName": \Person.fullName, "greeting": \Person.greeting]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "fullName": ["first", "last"]
    case "greeting": ["fullName"]
    default: super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }
}

/// A model that notifies of its balance manually.
class Account: KeyValueObject, @unchecked Sendable {
  @Observed var balance = 0
  @Observed var limit = 0
  var total: Int {
    get { balance + limit }
    set { limit = newValue - balance }
  }
  /// Set through KVC without any notification.
  var note = ""

  override class var keyPaths: [String: AnyKeyPath] { ["total": \Account.total, "note": \Account.note] }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key != "balance" && key != "note" && super.automaticallyNotifiesObservers(forKey: key)
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["balance", "limit"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }

  /// Sets the balance between a pair.
  func deposit(_ amount: Int) {
    willChangeValue(forKey: "balance")
    balance += amount
    didChangeValue(forKey: "balance")
  }
}

/// A generic model.
class Box<Value>: KeyValueObject {
  @Observed var value: Value
  @Observed var count = 0

  init(_ value: Value) { self.value = value }
}
