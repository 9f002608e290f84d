// Observations in words, for people: what `observersDescription`, `debugDescription`, tokens, and the log show.

extension Observance {
  /// The registration in a line; `root`, at which the path begins, is nil if it is deallocated.
  func text(at root: AnyObject?) -> String {
    "\(observerText) observes \(debugReference(to: root, else: "a deallocated object")) -> \(details)"
  }

  private var observerText: String {
    switch form {
    case .closure, .publisher, .tracking: "a closure"
    case .addObserver, .block, .handler, .valueHandler, .binding, .allKeys, .action, .context:
      debugReference(to: observer, else: "a deallocated observer")
    }
  }

  /// The key path, its options, and the form of observing.
  private var details: String {
    if let info = self as? KVOInfo { return info.destination.isSequence ? info.text : "\(info.text), \(form.rawValue)" }
    return "\(path.currentName) (\(requestedOptions.text)), \(form.rawValue)\(context.map { ", context \($0)" } ?? "")"
  }
}

extension KVOInfo {
  /// The key path with its options, and where changes are delivered: `date (initial, new), on the main actor`.
  var text: String { "\(path.currentName) (\(requestedOptions.text)\(identity.text)), \(destination.text)" }
}

extension NSKeyValueObservingOptions {
  fileprivate var text: String {
    let words = [(Self.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior")]
      .filter { contains($0.0) }.map(\.1)
    return words.isEmpty ? "no options" : words.joined(separator: ", ")
  }
}

extension Identity {
  fileprivate var text: String {
    let identifier = identifier.map { ", identifier: \($0)" } ?? ""
    return switch self {
    case .identified(.elements(_, let text), _, _): identifier + ", of elements, \(text)"
    case .identified(.list, _, _): identifier + ", in a list"
    case .none, .typed, .identified: identifier
    case .binding(let target): ", identifier: binding to \(ObservedPath.description(of: target))"
    case .unique: ", identifier: its own"
    }
  }
}

extension Destination {
  fileprivate var text: String {
    switch self {
    case .threadOfChange: "on the thread of the change"
    case .actor(let actor) where actor.isMain: "on the main actor"
    case .actor(let actor): "on \(debugReference(to: actor.object, else: "a deallocated actor"))"
    case .sequence: "in a sequence"
    }
  }
}

enum ObservationLog {
  enum Event: String {
    case begin, end
    case replace = "begin, which replaces the former:"
    case ignore = "observed already:"
    case objectDied = "end, because the object is deallocated:"
  }

  /// Its number is 1 if anything is logged, which is asked without the lock.
  private static let state: LockedObject = {
    let state = LockedObject()
    state.sharedNumber = ProcessInfo.processInfo.environment["KVO_LOG"] == "1" ? 1 : 0
    return state
  }()

  static var isOn: Bool { state.sharedNumber == 1 }

  static func turn(on isOn: Bool) { state.sharedNumber = isOn ? 1 : 0 }

  static func log(_ event: Event, _ info: KVOInfo, of object: KeyValueObservable?, at site: CallSite? = nil) {
    let observer = debugReference(to: info.observer, else: "a deallocated observer")
    let object = debugReference(to: object, else: "a deallocated object")
    let place = site.map { ", at \($0.fileID):\($0.line)" } ?? ""
    let line = "KVO: \(event.rawValue) \(observer) observes \(object) -> \(info.text)\(place)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
