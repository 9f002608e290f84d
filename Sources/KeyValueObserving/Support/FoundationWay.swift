/// Whether observations are registered as with Foundation's Key-Value Observing: by name and context, called back with
/// a dictionary that is routed by the context, and not notified when an object is deallocated.
///
/// This is the case on Apple platforms. On other platforms, debug builds do the same if the environment variable
/// `KVO_FOUNDATION_WAY` is set, so that tests run the code that only Foundation needs.
package enum FoundationWay {
  #if canImport(ObjectiveC)
  package static var isTaken: Bool { true }
  #elseif DEBUG
  package static let isTaken = ProcessInfo.processInfo.environment["KVO_FOUNDATION_WAY"] != nil
  #else
  package static var isTaken: Bool { false }
  #endif

  /// Whether key paths have no description, as on Apple platforms before iOS 16.4 and macOS 13.3.
  static var lacksDescriptions: Bool {
    #if canImport(ObjectiveC)
    if #available(macOS 13.3, iOS 16.4, watchOS 9.4, tvOS 16.4, *) { false } else { true }
    #else
    isTaken
    #endif
  }
}
