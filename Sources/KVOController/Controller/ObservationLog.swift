import CKeyValueObserving

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
