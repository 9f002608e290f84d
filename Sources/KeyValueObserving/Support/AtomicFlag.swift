#if !canImport(ObjectiveC)
import Synchronization
#endif

/// A flag that is set once, and can be read on any thread.
package struct AtomicFlag: ~Copyable, @unchecked Sendable {
  #if canImport(ObjectiveC)
  private let lock = Lock()
  private let flag = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  package init() {
    flag.initialize(to: false)
  }

  deinit {
    flag.deallocate()
  }

  package var isSet: Bool { lock.withLock { flag.pointee } }

  package func set() {
    lock.withLock { flag.pointee = true }
  }
  #else
  private let flag = Atomic(false)

  package init() {}

  @inline(__always)
  package var isSet: Bool { flag.load(ordering: .acquiring) }

  package func set() {
    flag.store(true, ordering: .releasing)
  }
  #endif
}
