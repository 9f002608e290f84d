/// Observing by hand, at its cheapest: an array of closures, called in turn with the old and the new value. They can't
/// be removed, and nothing sees to it that what they call is still alive.
///
/// By index, because to iterate over the array itself retains it, which doubles the time.
final class Hand {
  var handlers: [(_ old: Int, _ new: Int) -> Void] = []

  var number = 0 {
    didSet {
      for index in handlers.indices { handlers[index](oldValue, number) }
    }
  }
}
