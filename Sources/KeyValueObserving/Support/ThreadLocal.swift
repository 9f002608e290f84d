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
/// A place that each thread has for itself, for a number or an address; 0 at first.
///
/// The key is made once and kept as long as the process lives.
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
/// A place that each thread has for itself, for a number or an address; 0 at first.
struct ThreadLocal: Sendable {
  private let key = UUID().uuidString

  var value: UInt {
    get { Thread.current.threadDictionary[key] as? UInt ?? 0 }
    nonmutating set { Thread.current.threadDictionary[key] = newValue }
  }
}
#endif
