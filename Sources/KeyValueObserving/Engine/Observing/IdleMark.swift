#if !canImport(ObjectiveC)
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread's mark that says of which idle object it is storing a property.
///
/// An object is idle when its properties were set many times since the last observer left. Then a setter doesn't enter
/// the object's ``StorageGate``, which takes atomic operations. It marks its thread instead, which is an ordinary store.
/// Whoever locks the gate of an idle object pays for that: it makes sure that all threads know (``ProcessBarrier``), and
/// waits while one of them is marked with the object.
///
/// A setter first writes the mark and then reads the word of the object's ``ObservationSlot``. The owner of the lock
/// first writes to that word that the object isn't idle, then runs the barrier, and then reads the marks. So the setter
/// finds that the object isn't idle, or the owner finds the mark.
///
/// No foreign code runs while a thread is marked, so it never waits for a mark of its own.
///
/// - Thread safety: Only its thread writes the mark. The lock guards the list of all marks.
@usableFromInline
struct IdleMark: ~Copyable {
  /// The address of the object; 0 if the thread isn't storing.
  @usableFromInline
  let object = Atomic<UInt>(0)

  private static let lock = Lock()
  nonisolated(unsafe) private static var all: [UnsafePointer<IdleMark>] = []  // Guarded by the lock.

  private init() {}

  /// Marks this thread with an object.
  ///
  /// - Returns: The mark, which the caller must remove; nil if the thread has none yet.
  @inlinable
  @inline(__always)
  static func mark(_ object: KeyValueObject) -> UnsafePointer<IdleMark>? {
    #if os(Linux)
    markThread(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))?.assumingMemoryBound(to: IdleMark.self)
    #else
    nil
    #endif
  }

  @inlinable
  func remove() {
    object.store(0, ordering: .releasing)
  }

  /// Waits while a thread stores a property of an object that was idle. The caller has locked the object's gate, and
  /// recorded in its slot that it isn't idle anymore.
  ///
  /// - Parameter object: The address of the object.
  /// - Complexity: Linear in the number of threads that have set properties of idle objects.
  static func wait(for object: UnsafeRawPointer) {
    ProcessBarrier.run()
    lock.withLock {
      for mark in all {
        StorageGate.wait { mark.pointee.object.load(ordering: .acquiring) != UInt(bitPattern: object) }
      }
    }
  }

  // MARK: The marks of all threads

  #if os(Linux)
  /// The key whose value is deallocated when a thread ends, plus 1; 0 as long as no object has been idle.
  private static let key = Atomic<UInt>(0)

  /// Prepares for marks, before the first object is idle.
  ///
  /// - Returns: Whether there can be any.
  static func prepare() -> Bool {
    guard key.load(ordering: .relaxed) == 0 else { return true }
    guard ProcessBarrier.isAvailable else { return false }
    return lock.withLock {
      guard key.load(ordering: .relaxed) == 0 else { return true }
      var made = pthread_key_t()
      // Called when a thread ends.
      guard pthread_key_create(&made, { $0.map(IdleMark.remove) }) == 0 else { return false }
      key.store(UInt(made) + 1, ordering: .relaxed)
      return true
    }
  }

  /// Removes the mark of this thread, or creates it if there is none yet.
  @usableFromInline
  static func reset() {
    if markThread(0) == nil { make() }
  }

  private static func make() {
    // A deallocated object looks idle even if none has ever been.
    let key = key.load(ordering: .relaxed)
    guard key != 0 else { return }
    // Processors that write memory next to the mark would have to wait for each other.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    memory.initializeMemory(as: IdleMark.self, to: IdleMark())
    guard pthread_setspecific(pthread_key_t(key - 1), memory) == 0 else { return memory.deallocate() }
    lock.withLock { all.append(pointer(to: memory)) }
    setThreadMark(memory)
  }

  private static func remove(_ memory: UnsafeMutableRawPointer) {
    setThreadMark(nil)
    lock.withLock { all.removeAll { $0 == pointer(to: memory) } }
    memory.deallocate()
  }

  private static func pointer(to memory: UnsafeMutableRawPointer) -> UnsafePointer<IdleMark> {
    UnsafePointer(memory.assumingMemoryBound(to: IdleMark.self))
  }
  #else
  static func prepare() -> Bool { false }

  @usableFromInline
  static func reset() {}
  #endif
}
#endif
