import CKeyValueObserving

/// A change that is being reported to Observation on a thread.
///
/// An observer that is notified may at once track again the keys that the change has yet to reach. It must not be notified of
/// the same change then.
enum ReportedChange {
  /// The number that is drawn next when the latest report on this thread begins; 0 outside of reports.
  private static let began = ThreadLocal()
  private static let keys = LockedObject()
  /// 1 once there was a key to be tracked again. Otherwise changes don't need to be distinguished.
  private static var hasKeys: SharedNumber { keys.sharedNumber }

  /// Called when a key is made.
  static func keyIsMade() { hasKeys.value = 1 }

  /// Calls `body`, which reports that a change is about to happen.
  @inline(__always)
  static func report(_ body: () -> Void) {
    if hasKeys.value != 0 { reportNumbered(body) } else { body() }
  }

  @inline(never)
  private static func reportNumbered(_ body: () -> Void) {
    let former = began.value
    began.value = max(1, UInt(truncatingIfNeeded: kvo_latest_number()) &+ 1)
    defer { began.value = former }
    body()
  }

  /// Whether a change is being reported on this thread which began after a number was drawn.
  static func isReported(to number: UInt) -> Bool {
    began.value != 0 && Int(bitPattern: number &- began.value) < 0
  }
}
