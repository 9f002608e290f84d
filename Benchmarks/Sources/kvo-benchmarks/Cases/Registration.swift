import Foundation
import KVOController

extension Group {
  /// Beginning and ending an observation.
  static var registration: Group {
    Group("observe + unobserve") {
      // addObserver with a block, and removeObserver with its token.
      Case("NotificationCenter add + remove") {
        let model = Posting(), watcher = Watcher()
        return Loop { for _ in 0..<$0 { model.center.removeObserver(model.add(watcher, object: model)) } }
      }
      Case("block", .beside("NotificationCenter add + remove", atMost: 0.75)) {
        let model = Model(), watcher = Watcher()
        let controller = watcher.kvoController
        return Loop {
          for _ in 0..<$0 {
            controller.observe(model, keyPath: "number", options: [.old, .new]) { _, _, _ in }
            controller.unobserve(model, keyPath: "number")
          }
        }
      }
      Case("block, with another observer there", .beside("NotificationCenter add + remove", atMost: 0.75)) {
        let model = Model(), watcher = Watcher(), other = Watcher()
        let controller = watcher.kvoController
        other.kvoController.observe(model, keyPath: "number", options: [.old, .new]) { _, _, _ in }
        return Loop(keeping: other) {
          for _ in 0..<$0 {
            controller.observe(model, keyPath: "number", options: [.old, .new]) { _, _, _ in }
            controller.unobserve(model, keyPath: "number")
          }
        }
      }
      Case("typed handler, by its key path", .beside("NotificationCenter add + remove")) {
        let model = Model(), watcher = Watcher()
        let controller = watcher.kvoController
        return Loop {
          for _ in 0..<$0 {
            controller.observe(model, \.number) { (_: Watcher, _, _) in }
            controller.unobserve(model, \.number)
          }
        }
      }
      Case("typed handler, by its token", .beside("NotificationCenter add + remove", atMost: 0.75)) {
        let model = Model(), watcher = Watcher()
        let controller = watcher.kvoController
        return Loop {
          for _ in 0..<$0 { controller.observe(model, \.number) { (_: Watcher, _, _) in }.invalidate() }
        }
      }
      // As views do it: on the main actor, to be called there.
      Case("typed handler of the main actor, by its token", .beside("NotificationCenter add + remove", atMost: 0.75)) {
        let watched = Model(), watcher = Watcher()
        let watching = watcher.kvoController
        return Loop { rounds in
          // The program runs on the main thread only.
          nonisolated(unsafe) let model = watched
          nonisolated(unsafe) let controller = watching
          MainActor.assumeIsolated {
            for _ in 0..<rounds { controller.observe(model, \.number) { (_: Watcher, _, _) in }.invalidate() }
          }
        }
      }
      Case("context", .beside("NotificationCenter add + remove", atMost: 0.75)) {
        let model = Model(), watcher = Watcher()
        let controller = watcher.kvoController
        return Loop {
          for _ in 0..<$0 {
            controller.observe(model, keyPath: "number", options: [.old, .new], context: nil)
            controller.unobserve(model, keyPath: "number")
          }
        }
      }
      Case("addObserver + removeObserver", .beside("NotificationCenter add + remove")) {
        let model = Model(), watcher = Watcher()
        return Loop {
          for _ in 0..<$0 {
            model.addObserver(watcher, forKeyPath: "number", options: [.old, .new], context: nil)
            model.removeObserver(watcher, forKeyPath: "number", context: nil)
          }
        }
      }
      Case("with a controller of its own", .beside("NotificationCenter add + remove")) {
        let model = Model(), watcher = Watcher()
        return Loop {
          for _ in 0..<$0 {
            let controller = KVOController(observer: watcher)
            controller.observe(model, keyPath: "number", options: [.old, .new]) { _, _, _ in }
          }
        }
      }
      Case("through child.number", .beside("NotificationCenter add + remove")) {
        let node = Node(), watcher = Watcher()
        node.next = Node()
        let controller = watcher.kvoController
        return Loop {
          for _ in 0..<$0 {
            controller.observe(node, keyPath: "next.number", options: [.old, .new]) { _, _, _ in }
            controller.unobserve(node, keyPath: "next.number")
          }
        }
      }
    }
  }
}
