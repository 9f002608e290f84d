import Foundation

/// Whether the Address Sanitizer watches this run, as its options say: it keeps freed addresses from being used again.
let isAddressSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
