import CKeyValueObserving

/// An operation that a thread is in the middle of. Operations form a stack of frames, each in the stack frame of the
/// function that began it. Getters and changes look for frames of their thread while there are frames of any thread.
struct ThreadFrame {
  enum Purpose {
    /// A path of the observance is read.
    case reading(ObjectIdentifier)
    /// Reads of properties are recorded: see ``ReadTracker``.
    case tracking(ReadTracker.Record)
    /// Key-Value Coding calls a setter, whose own changes are part of one change, of which these are notified.
    case coding(Set<CodedReceiver>)
    /// A proxy calls the setter of the property at an address, whose observers are notified of this mutation.
    case assigning(UnsafeRawPointer, Mutation)
    /// An observer is called. What it reads and changes belongs to none of the frames outside.
    case shield
  }

  /// An observance that is notified of a change; one of several keys, of the change of one.
  struct CodedReceiver: Hashable {
    let observance: ObjectIdentifier
    let key: ObjectIdentifier?
  }

  fileprivate(set) var purpose: Purpose
  /// Whether a change affects what is read, for the function that began the frame.
  var isStale = false
  fileprivate let outer: UnsafeMutablePointer<ThreadFrame>?

  private static var latest: ThreadLocal { .frame }

  private static var top: UnsafeMutablePointer<ThreadFrame>? { UnsafeMutablePointer(bitPattern: latest.value) }

  /// Whether this thread has frames.
  @inline(__always)
  static var areThere: Bool { kvo_has_frames() && latest.value != 0 }

  /// Whether the engine has called the code that this thread runs, to read a value. Such a read is no access for Observation.
  static var isReading: Bool {
    first { frame in
      switch frame.purpose {
      case .reading, .tracking: true
      case .shield: false
      case .coding, .assigning: nil
      }
    } ?? false
  }

  /// The mutation that the setter of the property at an address makes on this thread. It is taken: what the setter's `didSet`
  /// changes is another change.
  static func takeMutation(at storage: UnsafeRawPointer) -> Mutation {
    first { frame in
      switch frame.purpose {
      case .assigning(storage, let mutation):
        frame.purpose = .assigning(storage, .setting)
        return mutation
      case .shield: return .setting
      case .reading, .tracking, .coding, .assigning: return nil
      }
    } ?? .setting
  }

  /// Whether Key-Value Coding is calling a setter on this thread, and the receiver is notified afterwards. Changes that observers
  /// make meanwhile are other ones.
  static func isCoding(for receiver: CodedReceiver) -> Bool {
    first { frame in
      switch frame.purpose {
      case .coding(let receivers): receivers.contains(receiver) ? true : nil
      case .shield: false
      case .reading, .tracking, .assigning: nil
      }
    } ?? false
  }

  /// Calls `body` in a frame. Returns its result, and whether the frame is stale.
  static func run<Result>(_ purpose: Purpose, _ body: () -> Result) -> (Result, isStale: Bool) {
    requireNoLock("foreign code runs in a frame")
    var frame = ThreadFrame(purpose: purpose, outer: top)
    // The address is valid until this function returns, which ends the frame before.
    return withUnsafeMutablePointer(to: &frame) { frame in
      kvo_add_frame()
      latest.value = UInt(bitPattern: frame)
      let result = guarded(body) { end(frame) }
      end(frame)
      return (result, frame.pointee.isStale)
    }
  }

  private static func end(_ frame: UnsafeMutablePointer<ThreadFrame>) {
    latest.value = UInt(bitPattern: frame.pointee.outer)
    kvo_remove_frame()
  }

  /// Calls an observer, which belongs to none of the frames.
  @inline(__always)
  static func shielded(_ body: () -> Void) {
    if areThere { _ = run(.shield, body) } else { body() }
  }

  /// Calls `body` with each frame of this thread, the latest first, until it returns something.
  static func first<Result>(_ body: (inout ThreadFrame) -> Result?) -> Result? {
    guard kvo_has_frames() else { return nil }
    var next = top
    while let frame = next {
      if let result = body(&frame.pointee) { return result }
      next = frame.pointee.outer
    }
    return nil
  }
}

/// Records which properties of which objects are read while a function runs on this thread: by getters of ``Observed``
/// properties, Key-Value Coding, and proxies, whatever has led to the object. Nothing is retained or searched.
enum ReadTracker {
  /// Called before each read with the object and the key.
  typealias Record = (KeyValueObject, ObservedKey) -> Void

  /// Calls `body`, and `record` for each read.
  static func track<Result>(_ record: Record, _ body: () -> Result) -> Result {
    withoutActuallyEscaping(record) { ThreadFrame.run(.tracking($0), body).0 }
  }

  /// Records what this thread reads; nil if that isn't tracked.
  static var current: Record? {
    ThreadFrame.first { frame -> Record?? in
      switch frame.purpose {
      case .tracking(let record): record
      case .reading, .shield: .some(nil)
      case .coding, .assigning: nil
      }
    } ?? nil
  }
}
