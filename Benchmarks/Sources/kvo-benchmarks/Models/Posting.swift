import Foundation

/// Observing by notification: the setter posts one, as hand-written models do.
final class Posting {
  static let didChange = Notification.Name("PostingNumberDidChange")

  let center: NotificationCenter
  var number = 0 {
    didSet { center.post(name: Self.didChange, object: self) }
  }

  init(_ center: NotificationCenter = NotificationCenter()) {
    self.center = center
  }

  /// Calls the watcher by a block, on the thread of the post.
  func add(_ watcher: Watcher, object: Posting?) -> any NSObjectProtocol {
    // Posted by one thread only, the one that adds.
    nonisolated(unsafe) let watcher = watcher
    return center.addObserver(forName: Self.didChange, object: object, queue: nil) { _ in watcher.take(1) }
  }
}
