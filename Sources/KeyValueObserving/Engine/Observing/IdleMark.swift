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
final class IdleMark: Sendable {
  /// The address of the object's info; 0 if the thread isn't storing.
  private let address = Atomic<UInt>(0)
  // Processors that write memory next to the mark would have to wait for each other.
  private let padding = InlineArray<16, UInt>(repeating: 0)

  private static let lock = Lock()
  nonisolated(unsafe) private static var all: [Unmanaged<IdleMark>] = []  // Guarded by the lock.

  /// Marks the thread with an object, if it is idle.
  ///
  /// - Parameter info: The address of the object's info.
  /// - Returns: The mark, which the caller must remove once it has stored the value; nil if the object isn't idle.
  @inline(__always)
  static func mark(_ info: UnsafeRawPointer, _ isIdle: () -> Bool) -> Unmanaged<IdleMark>? {
    guard isIdle(), let mark = own else { return nil }
    let isMarked = mark._withUnsafeGuaranteedRef { mark in
      mark.address.store(UInt(bitPattern: info), ordering: .releasing)
      if _fastPath(isIdle()) { return true }
      mark.remove()
      return false
    }
    return isMarked ? mark : nil
  }

  @usableFromInline
  func remove() {
    address.store(0, ordering: .releasing)
  }

  /// Waits while a thread stores a property of an object that was idle, and whose gate is locked.
  ///
  /// - Complexity: Linear in the number of threads that have set properties of idle objects.
  static func wait(for info: UnsafeRawPointer) {
    ProcessBarrier.run()
    lock.withLock {
      for mark in all {
        mark._withUnsafeGuaranteedRef { mark in
          StorageGate.wait { mark.address.load(ordering: .acquiring) != UInt(bitPattern: info) }
        }
      }
    }
  }

  // MARK: The marks of all threads

  #if os(Linux)
  /// The key of the thread-local mark, plus 1; 0 as long as no object has been idle.
  private static let key = Atomic<UInt>(0)

  /// The mark of this thread, created if necessary.
  @inline(__always)
  private static var own: Unmanaged<IdleMark>? {
    let key = key.load(ordering: .relaxed) &- 1
    return pthread_getspecific(pthread_key_t(truncatingIfNeeded: key)).map { .fromOpaque($0) } ?? make()
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
      // The mark is released when its thread ends.
      guard pthread_key_create(&made, { IdleMark.release($0) }) == 0 else { return false }
      key.store(UInt(made) + 1, ordering: .relaxed)
      return true
    }
  }

  @inline(never)
  private static func make() -> Unmanaged<IdleMark>? {
    let made = Unmanaged.passRetained(IdleMark())
    guard pthread_setspecific(pthread_key_t(key.load(ordering: .relaxed) - 1), made.toOpaque()) == 0 else {
      made.release()
      return nil
    }
    lock.withLock { all.append(made) }
    return made
  }

  private static func release(_ mark: UnsafeMutableRawPointer?) {
    guard let mark else { return }
    lock.withLock { all.removeAll { $0.toOpaque() == mark } }
    Unmanaged<IdleMark>.fromOpaque(mark).release()
  }
  #else
  private static var own: Unmanaged<IdleMark>? { nil }

  static func prepare() -> Bool { false }
  #endif
}
#endif
