/// An object that can't be observed: what a property costs at least.
final class Plain {
  var number = 0
}

/// One with an array.
final class PlainList {
  var items: [Int] = []
}

/// An observer that receives the old array.
final class CopiedList {
  var items = Array(0..<100_000) {
    didSet { use(oldValue.count) }
  }
}
