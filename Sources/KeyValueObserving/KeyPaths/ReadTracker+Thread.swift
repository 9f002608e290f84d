extension ReadTracker {
  private static let address = ThreadLocal()

  /// The tracker at work on this thread, which the function holds that set it.
  static var current: ReadTracker? {
    get {
      UnsafeRawPointer(bitPattern: address.value).map { Unmanaged<ReadTracker>.fromOpaque($0).takeUnretainedValue() }
    }
    set { address.value = UInt(bitPattern: newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }
}
