// Subclasses in another module than the library, and generic classes.

import Models
import Observation

// MARK: Classes that aren't generic, whose properties can be observed

class Chapter: Base {
  let fixed = 1
  @Observed var a = 0
  @Observed var text = ""
  @Observed var items: [Int] = []
  @Observed var base: Base?
  @Observed var address = Address()
  @Observed var thing: Thing?
  @ObservedWeak var next: Base?
  var total: Int { a + 10 * items.count }

  override class var keyPaths: [String: AnyKeyPath] { ["total": \Chapter.total] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["a", "items"] : []
  }
}

final class Appendix: Chapter {
  var plain = 0
  @Observed var b = 0
  @Observed var c = 0
}

final class TrackedChapter: Base, Observable {
  @Observed var a = 0
  @Observed var b = 0
  @ObservedWeak var next: Base?
}

/// A subclass of a generic class of the library.
final class Triple: Pair<Int> {
  let fixed = 1
  @Observed var third = 3
  @Observed var fourth = 4
}

// MARK: Generic classes below one of the library, whose properties can't be observed

final class Page<Value>: Base {
  let fixed = 1
  @Observed var a: Value
  @Observed var b: Value
  @Observed var number = 0
  @ObservedWeak var next: Base?
  /// Reads what can't be observed.
  var copy: Value { b }

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

/// Its own properties can be observed, because it isn't generic.
final class Last: Leaf<Int> {
  var more = 0
  @Observed var d = 0
  @Observed var e = 0
  @ObservedWeak var next: Base?
}

/// A class in a generic type is generic.
enum Outer<Value> {
  final class Nested: Base {
    let fixed = 0
    @Observed var value = 0
    @Observed var text = ""
  }
}

final class Tracked<Value>: Base, Observable {
  @Observed var a: Value
  @Observed var b: Value
  @ObservedWeak var next: Base?

  init(_ value: Value) {
    a = value
    b = value
  }
}

/// Its getter reads another object.
final class Reader: Base {
  let page = Page(0)
  var sum: Int { page.b + count }
}

final class Coded<Value: Codable>: Base, Codable {
  @Observed var a: Value
  @Observed var list: [Value] = []

  init(_ value: Value) { a = value }
}

// MARK: Generic classes below none of the library, whose properties can be observed unless the engine evolves

class Box<Value>: KeyValueObject {
  let fixed = 1
  @Observed var a: Value
  @Observed var b: Value

  init(_ value: Value) {
    a = value
    b = value
  }
}

final class Crate: Box<Int> {
  var plain = 0
  @Observed var c = 0
}

// MARK: Values

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
