#if !canImport(ObjectiveC)
#if canImport(WinSDK)
import WinSDK
#elseif canImport(Android)
import Android
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// What tells the running thread from all others that are alive.
struct ThreadIdentity: Hashable, Sendable {
  let number: UInt

  static var current: ThreadIdentity {
    #if canImport(WinSDK)
    ThreadIdentity(number: UInt(GetCurrentThreadId()))
    #elseif canImport(Glibc)
    ThreadIdentity(number: pthread_self())
    #else
    ThreadIdentity(number: UInt(bitPattern: pthread_self()))
    #endif
  }
}
#endif
