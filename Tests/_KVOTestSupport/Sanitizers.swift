import Foundation

/// Whether the Address Sanitizer is active, according to its options. It prevents freed addresses from being reused.
package let isAddressSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

/// Whether the Thread Sanitizer is linked into this process.
package let isThreadSanitized: Bool = {
  #if os(Windows)
  false
  #else
  dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
  #endif
}()

/// Whether a sanitizer makes everything slower, so that tests do with less.
package let isSanitized = isAddressSanitized || isThreadSanitized
