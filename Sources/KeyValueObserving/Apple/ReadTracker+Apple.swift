#if canImport(ObjectiveC)
import Darwin

extension ReadTracker {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The tracker at work on this thread, which is on the stack of the function that set it.
  static var current: ReadTracker? {
    get { pthread_getspecific(key).map { Unmanaged<ReadTracker>.fromOpaque($0).takeUnretainedValue() } }
    set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }
}
#endif
