/// Whether `addObserver` registers observers with Foundation, or with the stand-in for it that tests have.
#if canImport(ObjectiveC) || KVO_STAND_INS
let foundationRegisters = true
#else
let foundationRegisters = false
#endif
