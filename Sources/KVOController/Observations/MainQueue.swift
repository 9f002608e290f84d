import Foundation

/// The main dispatch queue, on which code of the main actor runs.
///
/// In a program that calls `dispatchMain()` there is no main thread anymore, and the queue uses other threads.
struct MainQueue: @unchecked Sendable {
  // Immutable; only the address of the object is used.
  private let key = DispatchSpecificKey<Bool>()

  private init() {
    DispatchQueue.main.setSpecific(key: key, value: true)
  }

  private static let shared = MainQueue()

  /// Whether the running code is on the main thread or the main queue.
  static var isCurrent: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: shared.key) == true
  }
}
