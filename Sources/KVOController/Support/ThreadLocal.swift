import CKeyValueObserving

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Foundation
#endif

#if !os(Windows)
/// A thread-local number or address, initially 0.
///
/// The key is created once and never deleted.
struct ThreadLocal: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
  }

  var value: UInt {
    get { UInt(bitPattern: pthread_getspecific(key)) }
    nonmutating set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
}
#else
/// A thread-local number or address, initially 0.
struct ThreadLocal: Sendable {
  private let key = UUID().uuidString

  init() {}

  var value: UInt {
    get { Thread.current.threadDictionary[key] as? UInt ?? 0 }
    nonmutating set { Thread.current.threadDictionary[key] = newValue }
  }
}
#endif

/// The running thread.
package enum CurrentThread {
  private static let own = ThreadLocal()

  /// A number that no other thread has, and that is never reused, unlike a thread's handle. It isn't 0.
  package static var identity: UInt {
    if own.value == 0 { own.value = UInt(truncatingIfNeeded: kvo_next_number()) }
    return own.value
  }
}
