import Foundation
import KVOController
import Observation

extension Group {
  /// A set of a property that is observed once, in every form, compared with other ways to be notified.
  static var observedSets: Group {
    Group("set, one observer") {
      Case.handSet
      Case.notificationSets
      Case("withObservationTracking, re-armed") {
        let model = Tracked(), watcher = Watcher()
        // Called by the set of this thread.
        nonisolated(unsafe) let heard = watcher
        return Loop(telling: watcher) {
          // Setting an equal value is no change to it.
          model.number = 0
          for value in 1...$0 {
            withObservationTracking {
              use(model.number)
            } onChange: {
              heard.take(1)
            }
            model.number = value
            barrier()
          }
        }
      }
      Case.rawSet
      Case.typedSets
      Case.blockSets
      Case("action", .beside("hand"), .beside("NotificationCenter.post")) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(
          model, keyPath: "number", options: [.old, .new], action: Watcher.numberDidChange as (Watcher) -> () -> Void)
        return .setting(model, telling: watcher)
      }
      Case("action that takes the change", .beside("hand"), .beside("NotificationCenter.post")) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(
          model, keyPath: "number", options: [.old, .new],
          action: Watcher.numberDidChange as (Watcher) -> ([NSKeyValueChangeKey: Any]) -> Void)
        return .setting(model, telling: watcher)
      }
      Case("context", .beside("hand"), .beside("NotificationCenter.post")) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, keyPath: "number", options: [.old, .new], context: nil)
        return .setting(model, telling: watcher)
      }
    }
  }
}

extension Loop {
  /// Sets the model's number.
  static func setting(_ model: Model, telling watcher: Watcher?, times: Int = 1, keeping kept: Any?...) -> Loop {
    Loop(keeping: kept, telling: watcher, times: times) { for value in 0..<$0 { model.number = value; barrier() } }
  }
}
