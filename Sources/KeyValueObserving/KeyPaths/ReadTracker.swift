/// Records which properties of which objects are read while a function runs on this thread.
///
/// Getters of ``Observed`` properties, Key-Value Coding, and proxies report their reads, whatever has led to the object.
/// Nothing is retained or searched.
final class ReadTracker {
  private let willRead: (KeyValueObject, ObservedKey) -> Void

  private init(_ willRead: @escaping (KeyValueObject, ObservedKey) -> Void) {
    self.willRead = willRead
  }

  /// Calls `body`.
  ///
  /// - Parameter willRead: Called before each read with the object and the key.
  /// - Returns: The result of `body`.
  static func track<Result>(
    _ willRead: (KeyValueObject, ObservedKey) -> Void, _ body: () -> Result
  ) -> Result {
    withoutActuallyEscaping(willRead) { willRead in
      ThreadFrame.run(.tracking, ReadTracker(willRead), body).0
    }
  }

  /// The tracker that records what this thread reads.
  static var current: ReadTracker? {
    var tracker: ReadTracker?
    _ = ThreadFrame.contains { frame in
      switch frame.purpose {
      case .tracking:
        // The subject of such a frame is of this class.
        tracker = frame.subject.map { unsafeDowncast($0.takeUnretainedValue(), to: ReadTracker.self) }
        return true
      case .reading, .shield: return true
      case .coding, .assigning: return false
      }
    }
    return tracker
  }

  /// Records a read that is about to happen.
  func record(_ object: KeyValueObject, _ key: ObservedKey) { willRead(object, key) }
}

extension KeyValueObject {
  /// Records a read of a property, which is about to happen, if reads are recorded on this thread.
  ///
  /// - Parameter property: Returns the property's own key path, from the class that declares it.
  final func recordRead(of field: ObservedField, _ properties: ClassProperties, _ property: () -> AnyKeyPath) {
    guard let tracker = ReadTracker.current else { return }
    field.learn(property)
    tracker.record(self, properties.key(of: field))
  }

  /// Records a read of a key through coding or a proxy.
  final func recordRead(ofKey key: String) {
    ReadTracker.current?.record(self, properties.key(PathKey(key)))
  }
}
