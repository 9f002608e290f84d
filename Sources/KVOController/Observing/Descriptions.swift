import CKeyValueObserving

/// The form of observing that has made a registration, in words.
enum ObservationForm: String, Sendable {
  case addObserver = "with addObserver"
  case closure = "with a closure"
  case publisher = "with a publisher"
  case tracking = "with withObservationTracking"
  case block = "with a block"
  case handler = "with a typed handler"
  /// A typed handler that takes the whole new value of each change, even if only some objects of a collection have changed.
  case valueHandler
  case action = "with an action"
  case context = "with a context"

  var text: String { if case .valueHandler = self { Self.handler.rawValue } else { rawValue } }

  var isTyped: Bool {
    switch self {
    case .handler, .valueHandler: true
    default: false
    }
  }
}

extension NSKeyValueObservingOptions {
  /// The options in words.
  var text: String {
    let words = [(Self.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior")]
      .filter { contains($0.0) }.map(\.1)
    return words.isEmpty ? "no options" : words.joined(separator: ", ")
  }
}

/// The log of observations.
enum ObservationLog {
  enum Event: String {
    case begin, end
    case ignore = "observed already:"
    case objectDied = "end, because the object is deallocated:"
  }

  /// Whether anything is logged, which costs a load.
  @inline(__always)
  static var isOn: Bool { kvo_get_log_state() == 1 ? false : isOnSlowly }

  @inline(never)
  private static var isOnSlowly: Bool {
    if kvo_get_log_state() == 0 {
      kvo_set_log_state(ProcessInfo.processInfo.environment["KVO_LOG"] == "1" ? 2 : 1)
    }
    return kvo_get_log_state() == 2
  }

  static func turn(on isOn: Bool) { kvo_set_log_state(isOn ? 2 : 1) }

  static func log(_ event: Event, _ info: KVOInfo, of object: KeyValueObservable?, at site: CallSite? = nil) {
    let observer = debugReference(to: info.receiver.observer, else: "a deallocated observer")
    let object = debugReference(to: object, else: "a deallocated object")
    let place = site.map { ", at \($0.fileID):\($0.line)" } ?? ""
    let line = "KVO: \(event.rawValue) \(observer) observes \(object) -> \(info.text)\(place)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}

extension KeyValueObject {
  /// The registrations of observers that a change of this object may notify, one line for each, in the order in which they
  /// were made; empty if there are none.
  ///
  /// A line names the observer, the object at which the key path begins, the key path, the options, and the form of
  /// observing:
  ///
  ///     <Cover 0x…> observes <Album 0x…> -> title (new, old), on the thread of the change, with a typed handler
  ///     <Shelf 0x…> observes <Artist 0x…> -> album.title (no options), on the main actor, with a block
  ///
  /// The second is that of a key path that leads through this object. A registration of a controller shows the controller's
  /// observer. Tracking by SwiftUI and `withObservationTracking` isn't registered with the object, so it isn't shown.
  ///
  /// It is meant for people: print it in the debugger. Its text may change.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of registrations.
  public final var observersDescription: String {
    let own = observationInfoIfMade.map { info in
      info.allObservances.map { observance in
        let root = debugReference(to: observance.root(at: self, info), else: "a deallocated object")
        return "\(observance.observerName) observes \(root) -> \(observance.details)"
      }
    }
    return ((own ?? []) + registrationsOfFoundation).joined(separator: "\n")
  }
}
