/// An object that can't be observed: what a property costs at least.
final class Plain {
  var number = 0
}

/// One with an array.
final class PlainList {
  var items: [Int] = []
}
