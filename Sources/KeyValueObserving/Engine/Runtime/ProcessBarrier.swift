#if !canImport(ObjectiveC)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A memory barrier for all threads of the process: when it has run, each of them has passed one.
///
/// So code that runs often needs no barrier of its own, at the expense of code that runs rarely. It is the system call
/// `membarrier` of Linux, which takes about a microsecond.
enum ProcessBarrier {
  /// Whether there is such a barrier. The process is registered for it at the first use.
  static let isAvailable = call(registerPrivateExpedited)

  private static let privateExpedited = 1 << 3
  private static let registerPrivateExpedited = 1 << 4

  static func run() {
    guard !call(privateExpedited) else { return }
    #if os(Linux)
    // Only a sandbox that was set up since can refuse it. No processor delays a store for so long.
    usleep(10_000)
    #endif
  }

  #if os(Linux) && (arch(x86_64) || arch(arm64))
  #if arch(x86_64)
  private static let number = 324
  #else
  private static let number = 283
  #endif

  private static func call(_ command: Int) -> Bool { systemCall(number, command, 0, 0) == 0 }
  #else
  // Android ends processes that make a system call it doesn't know.
  private static func call(_ command: Int) -> Bool { false }
  #endif
}

#if os(Linux) && (arch(x86_64) || arch(arm64))
// It takes any number of arguments, which Swift can't import. On these processors they are passed like other ones.
@_silgen_name("syscall")
private func systemCall(_ number: Int, _ first: Int, _ second: Int, _ third: Int) -> Int
#endif
#endif
