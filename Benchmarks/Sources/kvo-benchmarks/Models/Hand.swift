/// Manual observation at the lowest cost: an array of closures, called in turn with the old and the new value. They
/// can't be removed, and nothing ensures that the objects that they use still exist.
///
/// By index, because iterating over the array retains it, which doubles the time.
final class Hand {
  var handlers: [(_ old: Int, _ new: Int) -> Void] = []

  var number = 0 {
    didSet {
      for index in handlers.indices { handlers[index](oldValue, number) }
    }
  }
}
