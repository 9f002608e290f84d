import Foundation

/// Whether the Address Sanitizer is active, according to its options. It prevents freed addresses from being reused.
let isAddressSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

/// Whether the Thread Sanitizer is linked into this process.
let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// Whether a sanitizer makes everything slower, so that tests do with less.
let isSanitized = isAddressSanitized || isThreadSanitized
