import Foundation

/// Whether `addObserver` registers observers with Foundation, or with the stand-in for it that tests have.
#if canImport(ObjectiveC)
let foundationRegisters = true
#else
let foundationRegisters = ProcessInfo.processInfo.environment["KVO_FOUNDATION_REGISTERS"] != nil
#endif
