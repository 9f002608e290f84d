// A library whose classes others inherit from.

@_exported import KVOController

open class Base: KeyValueObject {
  #if GROWN
  // A later version has more properties before those of subclasses.
  let id = 1.0
  @Observed public var rating = 7
  #endif
  @Observed open var title = ""
  @Observed public var count = 0
}

open class Pair<Value>: KeyValueObject {
  @Observed public var first: Value
  @Observed public var second: Value

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
