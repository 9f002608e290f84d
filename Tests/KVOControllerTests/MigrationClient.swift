import Foundation
import KVOController

// Swift code as it was written for FBKVOController 1.2, word for word: with its names, key paths in quotes, and changes
// that are cast. The models that it observes are declared separately.

/// Observes with the controller that each object has.
class TaskListScreen: TaskScreen {
  var heading = ""
  var rows = [String]()
  var log = [String]()

  func show(_ list: TaskList) {
    kvoController.observe(list, keyPath: "title", options: [.initial, .new]) { (observer, object, change) in
      guard let screen = observer as? TaskListScreen else { return }
      screen.heading = change[.newKey] as? String ?? ""
    }
    kvoController.observe(list, keyPath: "tasks", options: [.initial, .new]) { [weak self] (_, object, change) in
      self?.rows = change[NSKeyValueChangeKey.newKey] as! [String]
      self?.log.append("\((object as! TaskList).tasks.count) tasks")
    }
    kvoController.observe(list, keyPaths: ["done", "owner.name"], options: [.old, .new]) {
      [weak self] (_, _, change) in
      guard let keyPath = change[NSKeyValueChangeKey(rawValue: FBKVONotificationKeyPathKey)] as? String else { return }
      if keyPath == "done" {
        let old = (change[.oldKey] as? NSNumber)?.intValue ?? -1
        let new = (change[.newKey] as? NSNumber)?.intValue ?? -1
        self?.log.append("done: \(old) -> \(new)")
      } else if change[.newKey] is NSNull {
        self?.log.append("nobody's")
      } else {
        self?.log.append(change[.newKey] as! String)
      }
    }
  }

  func hide(_ list: TaskList) {
    kvoController.unobserve(list, keyPath: "title")
    kvoController.unobserve(list)
  }
}

/// Observes with its own controller, which it releases to stop.
class TaskCounter: NSObject {
  private var controller: FBKVOController?
  var kinds = [NSKeyValueChange]()

  func start(_ list: TaskList) {
    let controller = FBKVOController(observer: self)
    let block: FBKVONotificationBlock = { (observer, object, change) in
      let counter = observer as! TaskCounter
      let kind = (change[.kindKey] as! NSNumber).uintValue
      counter.kinds.append(NSKeyValueChange(rawValue: kind)!)
    }
    controller.observe(list, keyPath: "tasks", options: [], block: block)
    controller.observe(list, keyPath: "tasks", options: [.initial], block: block)
    controller.observe(nil, keyPath: "tasks", options: [], block: block)
    self.controller = controller
  }

  func stop() {
    controller = nil
  }
}

/// Is held by what it observes, and has an `observeValue` of its own.
class TaskAudit: TaskScreen {
  static let context = 7
  var entries = [String]()

  func watch(_ list: TaskList) {
    let context = UnsafeMutableRawPointer(bitPattern: TaskAudit.context)
    kvoControllerNonRetaining.observe(list, keyPath: "done", options: [.old, .new], context: context)
    kvoControllerNonRetaining.observe(list, keyPaths: ["title"], options: .new, context: nil)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {
    if context == UnsafeMutableRawPointer(bitPattern: TaskAudit.context) {
      entries.append("\(keyPath!): \(change![.oldKey] as! Int) -> \(change![.newKey] as! Int)")
    } else {
      entries.append("\(keyPath!): \(change![.newKey] as! String)")
    }
  }

  func replaceController() {
    kvoControllerNonRetaining.unobserveAll()
    kvoControllerNonRetaining = FBKVOController(observer: self, retainObserved: false)
  }
}

#if canImport(ObjectiveC)
/// Observes with a selector.
class TaskBadge: TaskScreen {
  var text = ""

  func show(_ list: TaskList) {
    kvoController.observe(list, keyPath: #keyPath(TaskOwner.name), options: [], action: #selector(update))
    kvoController.observe(list, keyPaths: ["done"], options: [.new], action: #selector(doneDidChange(_:in:)))
  }

  @objc func update() {
  }

  @objc func doneDidChange(_ change: [NSKeyValueChangeKey: Any], in list: TaskList) {
    text = "\(change[.newKey] ?? "") of \(list.tasks.count)"
  }
}
#endif
