// Subclasses in another module: generic, nested in a generic type, and inherited from one.

import Models
import Observation

final class Page<Value>: Base {
  let fixed = 1
  @Observed var a: Value
  @Observed var b: Value
  @Observed var number = 0

  init(_ value: Value) {
    a = value
    b = value
  }
}

class Middle<Value>: Base {
  var plain = 0
  @Observed var a: Value
  @Observed var b: Value

  init(_ value: Value) {
    a = value
    b = value
  }
}

class Leaf<Value>: Middle<Value> {
  let fixed = 0
  @Observed var c: Value

  override init(_ value: Value) {
    c = value
    super.init(value)
  }
}

final class Last: Leaf<Int> {
  var more = 0
  @Observed var d = 0
  @Observed var e = 0
}

enum Outer<Value> {
  final class Nested: Base {
    let fixed = 0
    @Observed var value = 0
    @Observed var text = ""
    @Observed var other = ""
  }
}

final class Triple: Pair<Int> {
  let fixed = 1
  @Observed var third = 3
  @Observed var fourth = 4
}

final class Tracked<Value>: Base, Observable {
  @Observed var a: Value
  @Observed var b: Value

  init(_ value: Value) {
    a = value
    b = value
  }
}

final class Summed<Value>: Base {
  @Observed var items: [Value] = []
  @Observed var others: [Value] = []
  var total: Int { items.count + 10 * others.count }
  override class var keyPaths: [String: AnyKeyPath] { ["total": \Summed.total] }
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["items", "others"] : []
  }
}

final class Linked<Value>: Base, Observable {
  @Observed var value: Value
  @ObservedWeak var next: Linked?
  @Observed var strong: Linked?

  init(_ value: Value) { self.value = value }
}

struct Address {
  var street = ""
  var number = 0
}

final class Thing: KeyValueObject {
  nonisolated(unsafe) static var living = 0

  override init() {
    super.init()
    Self.living += 1
  }

  deinit { Self.living -= 1 }
}
