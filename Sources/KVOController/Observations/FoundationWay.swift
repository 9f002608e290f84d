/// Whether observations are registered as with Foundation's Key-Value Observing: by name and context, called back with a
/// dictionary that is routed by the context, and without being told when an object is deallocated.
///
/// That is so on Apple platforms. Elsewhere tests of debug builds take this way if the environment has
/// `KVO_FOUNDATION_WAY`, so that the code that only Foundation needs is run and checked.
package enum FoundationWay {
  #if canImport(ObjectiveC)
  package static var isTaken: Bool { true }
  #elseif DEBUG
  package static let isTaken = ProcessInfo.processInfo.environment["KVO_FOUNDATION_WAY"] != nil
  #else
  package static var isTaken: Bool { false }
  #endif
}
