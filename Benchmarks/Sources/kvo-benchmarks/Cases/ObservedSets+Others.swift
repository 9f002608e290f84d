import Foundation

extension Case {
  static var handSet: Case {
    Case("hand") {
      let model = Hand(), watcher = Watcher()
      model.handlers.append { _, _, new in watcher.take(new) }
      return Loop(telling: watcher) { for value in 0..<$0 { model.number = value; barrier() } }
    }
  }

  /// Posts to a block. The first is the usual way: an observer of one object's notifications, which carry no values.
  static var notificationSets: [Case] {
    [
      Case("NotificationCenter.post", .beside("hand")) {
        let model = Posting(), watcher = Watcher()
        let token = model.add(watcher, object: model)
        return Loop(keeping: token, telling: watcher) { for value in 0..<$0 { model.number = value; barrier() } }
      },
      Case("NotificationCenter.post, of any object", .beside("hand")) {
        let model = Posting(), watcher = Watcher()
        let token = model.add(watcher, object: nil)
        return Loop(keeping: token, telling: watcher) { for value in 0..<$0 { model.number = value; barrier() } }
      },
      // With the old and the new value in it, as a change has them.
      Case("NotificationCenter.post with userInfo", .beside("hand")) {
        let center = NotificationCenter(), model = Plain(), watcher = Watcher()
        // Posted by this thread only.
        nonisolated(unsafe) let heard = watcher
        let token = center.addObserver(forName: Posting.didChange, object: model, queue: nil) {
          heard.take($0.userInfo?["new"] as? Int ?? 0)
        }
        return Loop(keeping: token, telling: watcher) {
          for value in 0..<$0 {
            let old = model.number
            model.number = value
            center.post(name: Posting.didChange, object: model, userInfo: ["old": old, "new": value])
          }
        }
      },
    ]
  }
}
