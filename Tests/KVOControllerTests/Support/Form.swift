import KVOController
import _KVOTestSupport

/// A way to observe: in one of the forms, with one key path or a list of them.
struct Form: Sendable, Hashable, CustomStringConvertible {
  enum Way: String, CaseIterable {
    case block, context, action, changeAction, objectAction
  }

  var way: Way
  var isList = false

  static let all = single + [.block, .context].map { Form(way: $0, isList: true) }
  static let single = Way.allCases.map { Form(way: $0) }
  /// Those that take an identifier.
  static let identified = all.filter { $0.way != .context }

  var description: String { isList ? "\(way.rawValue)s" : way.rawValue }

  /// What a recorder receives in this form.
  func call(_ keyPath: String, _ object: AnyObject, _ change: Change, number: Int = 0) -> Call {
    switch way {
    case .block:
      Call(
        keyPath: keyPath, object: object, change: change.with(keyPath: keyPath), context: number)
    case .context: Call(keyPath: keyPath, object: object, change: change, context: number)
    case .action: Call()
    case .changeAction: Call(change: change)
    case .objectAction: Call(object: object, change: change)
    }
  }
}

extension KVOController {
  /// Observes so that the recorder notes each call; the number is the context, or what the block adds.
  func observe(
    _ object: Any?, _ keyPath: String, as form: Form, options: NSKeyValueObservingOptions = [],
    identifier: AnyHashable? = nil, number: Int = 0
  ) {
    let block: FBKVONotificationBlock = { observer, object, change in
      (observer as? Recorder)?
        .record(
          Call(keyPath: change[.keyPathKey] as? String, object: object, dictionary: change, context: number))
    }
    switch (form.way, form.isList) {
    case (.block, false):
      observe(object, keyPath: keyPath, options: options, identifier: identifier, block: block)
    case (.block, true):
      observe(object, keyPaths: [keyPath], options: options, identifier: identifier, block: block)
    case (.context, false):
      observe(object, keyPath: keyPath, options: options, context: .number(number))
    case (.context, true):
      observe(object, keyPaths: [keyPath], options: options, context: .number(number))
    case (.action, _):
      observe(object, keyPath: keyPath, options: options, identifier: identifier, action: Recorder.redraw)
    case (.changeAction, _):
      observe(
        object, keyPath: keyPath, options: options, identifier: identifier, action: Recorder.update(change:))
    case (.objectAction, _):
      observe(
        object, keyPath: keyPath, options: options, identifier: identifier, action: Recorder.update(change:object:))
    }
  }
}
