/// An object and its many observers, each with a controller of its own.
final class Crowd {
  let model = Model()
  private(set) var watchers: [Watcher]

  init(_ count: Int, isObserving: Bool = false) {
    watchers = (0..<count).map { _ in Watcher() }
    for watcher in watchers { _ = watcher.kvoController }
    if isObserving { observe() }
  }

  func observe() {
    for watcher in watchers { watcher.observe(model, "number") }
  }

  /// Ends the observations in no particular order.
  func unobserve() {
    for number in watchers.indices {
      watchers[number * 7_919 % watchers.count].kvoController.unobserve(model, keyPath: "number")
    }
  }

  func die() {
    watchers = []
  }
}
