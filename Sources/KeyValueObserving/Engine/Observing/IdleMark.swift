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
/// A setter first writes the mark and then reads the gate's word. The owner of the lock first writes the word, then runs
/// the barrier, and then reads the marks. So the setter finds the gate locked, or the owner finds the mark.
///
/// - Thread safety: Only its thread writes the mark. The lock guards the list of all marks.
@usableFromInline
struct IdleMark: ~Copyable {
  /// The address of the object's info; 0 if the thread isn't storing.
  @usableFromInline
  let info = Atomic<UInt>(0)

  private static let lock = Lock()
  nonisolated(unsafe) private static var all: [UnsafePointer<IdleMark>] = []  // Guarded by the lock.

  private init() {}

  /// Marks the thread with an object, if it is idle.
  ///
  /// - Parameter info: The address of the object's info.
  /// - Returns: The mark, which the caller must remove once it has stored the value; nil if the object isn't idle.
  @inline(__always)
  static func mark(_ info: UnsafeRawPointer, _ isIdle: () -> Bool) -> UnsafePointer<IdleMark>? {
    guard isIdle(), let mark = own else { return nil }
    mark.pointee.info.store(UInt(bitPattern: info), ordering: .releasing)
    if _fastPath(isIdle()) { return mark }
    mark.pointee.remove()
    return nil
  }

  @inlinable
  func remove() {
    info.store(0, ordering: .releasing)
  }

  /// Waits while a thread stores a property of an object that was idle, and whose gate is locked.
  ///
  /// - Complexity: Linear in the number of threads that have set properties of idle objects.
  static func wait(for info: UnsafeRawPointer) {
    ProcessBarrier.run()
    lock.withLock {
      for mark in all {
        StorageGate.wait { mark.pointee.info.load(ordering: .acquiring) != UInt(bitPattern: info) }
      }
    }
  }

  // MARK: The marks of all threads

  #if os(Linux)
  /// The key of the thread-local mark, plus 1; 0 as long as no object has been idle.
  private static let key = Atomic<UInt>(0)

  /// The mark of this thread, created if necessary.
  @inline(__always)
  private static var own: UnsafePointer<IdleMark>? {
    let key = key.load(ordering: .relaxed) &- 1
    return pthread_getspecific(pthread_key_t(truncatingIfNeeded: key)).map { pointer(to: $0) } ?? make()
  }

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

  @inline(never)
  private static func make() -> UnsafePointer<IdleMark>? {
    // Processors that write memory next to the mark would have to wait for each other.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    memory.initializeMemory(as: IdleMark.self, to: IdleMark())
    guard pthread_setspecific(pthread_key_t(key.load(ordering: .relaxed) - 1), memory) == 0 else {
      memory.deallocate()
      return nil
    }
    lock.withLock { all.append(pointer(to: memory)) }
    return pointer(to: memory)
  }

  private static func remove(_ memory: UnsafeMutableRawPointer) {
    lock.withLock { all.removeAll { $0 == pointer(to: memory) } }
    memory.deallocate()
  }

  private static func pointer(to memory: UnsafeMutableRawPointer) -> UnsafePointer<IdleMark> {
    UnsafePointer(memory.assumingMemoryBound(to: IdleMark.self))
  }
  #else
  private static var own: UnsafePointer<IdleMark>? { nil }

  static func prepare() -> Bool { false }
  #endif
}
#endif
