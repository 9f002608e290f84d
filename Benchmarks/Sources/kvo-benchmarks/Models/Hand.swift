/// Observation written by hand, as people write it: an array of closures that `didSet` calls with the object, the old, and
/// the new value. They can't be removed, and nothing ensures that the objects that they use still exist.
final class Hand {
  var handlers: [(_ object: Hand, _ old: Int, _ new: Int) -> Void] = []

  var number = 0 {
    didSet {
      for handler in handlers { handler(self, oldValue, number) }
    }
  }
}
