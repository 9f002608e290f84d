/// Whether observations are registered as with Foundation's Key-Value Observing: by name and context, called back with
/// a dictionary that is routed by the context, and not notified when an object is deallocated.
///
/// This is the case for foreign objects. On other platforms than Apple's, debug builds do the same for all objects if the
/// environment variable `KVO_FOUNDATION_WAY` is set, so that more tests run the code that only foreign objects need.
enum FoundationWay {
  /// Whether it is taken with all objects.
  #if !canImport(ObjectiveC) && DEBUG
  static let isAlwaysTaken = ProcessInfo.processInfo.environment["KVO_FOUNDATION_WAY"] != nil
  #else
  static var isAlwaysTaken: Bool { false }
  #endif

  /// Whether it is taken with an object.
  static func isTaken(with object: KeyValueObservable) -> Bool { isAlwaysTaken || object.foreign != nil }

  /// Whether key paths have no description, as on Apple platforms before iOS 16.4 and macOS 13.3.
  static var lacksDescriptions: Bool {
    #if canImport(ObjectiveC)
    if #available(macOS 13.3, iOS 16.4, watchOS 9.4, tvOS 16.4, *) { false } else { true }
    #else
    isAlwaysTaken
    #endif
  }
}
