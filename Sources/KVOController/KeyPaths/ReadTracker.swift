/// Records which properties of which objects are read while a function runs on this thread.
///
/// Getters of ``Observed`` properties, Key-Value Coding, and proxies report their reads, whatever has led to the object.
/// Nothing is retained or searched.
enum ReadTracker {
  /// Called before each read with the object and the key.
  typealias Record = (KeyValueObject, ObservedKey) -> Void

  /// Calls `body`, and `record` for each read.
  ///
  /// - Returns: The result of `body`.
  static func track<Result>(_ record: Record, _ body: () -> Result) -> Result {
    withoutActuallyEscaping(record) { ThreadFrame.run(.tracking($0), body).0 }
  }

  /// Records what this thread reads; nil if that isn't tracked.
  static var current: Record? {
    ThreadFrame.first { frame -> Record?? in
      switch frame.purpose {
      case .tracking(let record): record
      case .reading, .shield: .some(nil)
      case .coding, .assigning: nil
      }
    } ?? nil
  }
}

extension KeyValueObject {
  /// Records a read of a property, which is about to happen, if reads are recorded on this thread.
  ///
  /// - Parameter property: Returns the property's own key path, from the class that declares it.
  final func recordRead(of field: ObservedField, _ properties: ClassProperties, _ property: () -> AnyKeyPath) {
    guard let record = ReadTracker.current else { return }
    field.learn(property)
    record(self, properties.key(of: field))
  }

  /// Records a read of a key through coding or a proxy.
  final func recordRead(ofKey key: String) {
    ReadTracker.current?(self, properties.key(PathKey(key)))
  }
}
