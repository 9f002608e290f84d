import KVOController
import _KVOTestSupport

/// An observer that counts its calls, on any threads, by context.
final class Counter: KeyValueObject, @unchecked Sendable {
  private let counts = Locked<[Int: Int]>([:])

  subscript(context: Int = 0) -> Int { counts.withLock { $0[context] ?? 0 } }

  var total: Int { counts.withLock { $0.values.reduce(0, +) } }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    counts.withLock { $0[Int(bitPattern: context), default: 0] += 1 }
  }
}
