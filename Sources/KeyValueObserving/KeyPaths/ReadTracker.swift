/// Notes which `@Observed` properties are read, and of which objects, while a piece of code runs on this thread.
///
/// Only objects that a tracker knows tell it of reads, so that reading costs nothing otherwise: the object it begins with,
/// and each that was read from one it knows.
@usableFromInline
final class ReadTracker {
  /// One read of a property.
  struct Read {
    let owner: KeyValueObject
    let name: String
    let valueType: Any.Type
    /// The property's own key path, from the class that declares it.
    let keyPath: AnyKeyPath
    let value: Any?
  }

  private(set) var reads: [Read] = []
  private var tracked: [KeyValueObject] = []
  private let outer: ReadTracker?

  private init(outer: ReadTracker?) {
    self.outer = outer
  }

  /// Runs `body`, which reads from `root`.
  ///
  /// - Returns: What `body` gave, and each read, in their order.
  static func track<Result>(_ root: KeyValueObject, _ body: () -> Result) -> (Result, reads: [Read]) {
    let tracker = ReadTracker(outer: current)
    current = tracker
    tracker.attend(to: root)
    defer {
      current = tracker.outer
      for object in tracker.tracked { object.endTracking() }
    }
    return (body(), tracker.reads)
  }

  /// Reads a property of an object that is tracked, perhaps on another thread.
  @usableFromInline
  static func read<Value>(
    _ storage: UnsafeMutablePointer<Observed<Value>>, of owner: KeyValueObject, _ keyPath: AnyKeyPath
  ) -> Value {
    let value = storage.pointee.value
    if let tracker = current {
      let offset = UnsafeRawPointer(storage) - UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
      tracker.note(value, offset, owner, keyPath)
    }
    return value
  }

  private func note<Value>(_ value: Value, _ offset: Int, _ owner: KeyValueObject, _ keyPath: AnyKeyPath) {
    let properties = ClassProperties.of(owner)
    guard let index = properties.fieldIndex(atOffset: offset, Value.self) else { return }
    let value = flattened(value)
    reads.append(
      Read(owner: owner, name: properties.fields[index].name, valueType: Value.self, keyPath: keyPath, value: value))
    if let object = value as? KeyValueObject {
      attend(to: object)
    } else if let collection = value as? any ObjectCollection {
      for case let object as KeyValueObject in collection.allObjects { attend(to: object) }
    }
  }

  private func attend(to object: KeyValueObject) {
    object.beginTracking()
    tracked.append(object)
  }
}
