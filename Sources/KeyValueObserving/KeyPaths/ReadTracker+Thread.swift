#if !canImport(ObjectiveC)
extension ReadTracker {
  private static let key = "KeyValueObserving.ReadTracker"

  /// The tracker at work on this thread. It is asked for only while some thread tracks the object that is read.
  static var current: ReadTracker? {
    get { Thread.current.threadDictionary[key] as? ReadTracker }
    set { Thread.current.threadDictionary[key] = newValue }
  }
}
#endif
