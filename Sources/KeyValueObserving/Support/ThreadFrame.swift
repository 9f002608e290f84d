import CKeyValueObserving

/// An operation that a thread is in the middle of. Operations form a stack of frames, each in the stack frame of the
/// function that began it.
///
/// Getters and changes look for frames of their thread while there are frames of any thread.
struct ThreadFrame {
  enum Purpose {
    /// A path of an observance is read. The subject is the observance.
    case reading
    /// Reads of properties are recorded. The subject is a ``ReadTracker``.
    case tracking
    /// Key-Value Coding calls a setter, whose own changes are part of one change. The subject is the set of observances
    /// that are notified of that.
    case coding
    /// A proxy calls the setter of a property. The subject is an ``AssignedMutation``.
    case assigning
    /// An observer is called. What it reads and changes belongs to nothing outside.
    case shield
  }

  let purpose: Purpose
  /// The object that the frame is about, which its function retains.
  let subject: Unmanaged<AnyObject>?
  /// Whether a change affects the subject, for the function that began the frame.
  var isStale = false
  fileprivate let outer: UnsafeMutablePointer<ThreadFrame>?

  private static let latest = ThreadLocal()

  private static var top: UnsafeMutablePointer<ThreadFrame>? { UnsafeMutablePointer(bitPattern: latest.value) }

  /// Whether this thread has frames.
  @inline(__always)
  static var areThere: Bool { kvo_has_frames() && latest.value != 0 }

  /// Whether the engine has called the code that this thread runs, to read a value.
  static var isReading: Bool {
    var isReading = false
    _ = contains { frame in
      isReading = frame.purpose == .reading || frame.purpose == .tracking
      return frame.purpose != .coding && frame.purpose != .assigning
    }
    return isReading
  }

  /// Calls `body` in a frame.
  ///
  /// - Returns: The result of `body`, and whether the frame is stale.
  static func run<Result>(_ purpose: Purpose, _ subject: AnyObject?, _ body: () -> Result) -> (Result, isStale: Bool) {
    var frame = ThreadFrame(purpose: purpose, subject: subject.map(Unmanaged.passUnretained), outer: top)
    // The address is valid until this function returns, which ends the frame before.
    return withUnsafeMutablePointer(to: &frame) { frame in
      kvo_add_frame()
      latest.value = UInt(bitPattern: frame)
      let result = guarded(body) { end(frame) }
      end(frame)
      return withExtendedLifetime(subject) { (result, frame.pointee.isStale) }
    }
  }

  private static func end(_ frame: UnsafeMutablePointer<ThreadFrame>) {
    latest.value = UInt(bitPattern: frame.pointee.outer)
    kvo_remove_frame()
  }

  /// Calls an observer, which belongs to none of the frames.
  @inline(__always)
  static func shielded(_ body: () -> Void) {
    if areThere { _ = run(.shield, nil, body) } else { body() }
  }

  /// Calls `body` with each frame of this thread, the latest first, until it returns true.
  ///
  /// - Returns: Whether it did.
  static func contains(where body: (inout ThreadFrame) -> Bool) -> Bool {
    guard kvo_has_frames() else { return false }
    var next = top
    while let frame = next {
      if body(&frame.pointee) { return true }
      next = frame.pointee.outer
    }
    return false
  }
}
