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

/// An identity of a thread, which no other thread has.
package struct ThreadIdentity: Hashable, Sendable {
  /// A number that is never reused, unlike a thread's handle.
  private let number: UInt

  private static let own = ThreadLocal()

  /// A part of the number, which differs for any two of four billion threads.
  var shortNumber: UInt32 { UInt32(truncatingIfNeeded: number) }

  /// The identity of no thread.
  static let none = ThreadIdentity(number: 0)

  package static var current: ThreadIdentity {
    if own.value == 0 { own.value = UInt(truncatingIfNeeded: kvo_next_number()) }
    return ThreadIdentity(number: own.value)
  }
}
