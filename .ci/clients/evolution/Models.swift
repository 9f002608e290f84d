// A library whose classes others inherit from.

@_exported import KVOController

open class Base: KeyValueObject {
  #if GROWN
  // A later version has more properties before those of subclasses.
  let id = 1.0
  /// From 0 to 10.
  @Observed public var rating = 7
  #endif
  @Observed open var title = ""
  /// Set in place.
  @Observed public var count = 0
}

open class Pair<Value>: KeyValueObject {
  /// The first value.
  @Observed public var first: Value
  /// The second value.
  @Observed public var second: Value

  /// Creates a pair.
  public init(_ first: Value, _ second: Value) {
    #if GROWN
    order = 1
    #endif
    self.first = first
    self.second = second
  }

  #if GROWN
  var order: Int
  #endif
}
