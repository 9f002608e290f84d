/// Notes which `@Observed` properties are read, and of which objects, while a piece of code runs on this thread.
///
/// Only objects that a tracker knows tell it of reads, so that reading costs nothing otherwise: the object it begins
/// with, and each that was read from one it knows.
@usableFromInline
final class ReadTracker {
  /// One read of a property.
  struct Read {
    let owner: KeyValueObject
    let name: String
    /// The property's own key path, from the class that declares it.
    let keyPath: AnyKeyPath
    let value: Any?
  }

  private(set) var reads: [Read] = []
  private var tracked: [KeyValueObject] = []
  private let outer: ReadTracker?
  private let willRead: (KeyValueObject, String) -> Void

  private init(outer: ReadTracker?, willRead: @escaping (KeyValueObject, String) -> Void) {
    self.outer = outer
    self.willRead = willRead
  }

  /// Runs `body`, which reads from `root`.
  ///
  /// - Parameter willRead: Called before each read with the object and the name of its property.
  /// - Returns: What `body` gave, and each read, in their order.
  @discardableResult
  static func track<Root: KeyValueObject, Result>(
    _ root: Root, willRead: (KeyValueObject, String) -> Void = { _, _ in }, _ body: (Root) -> Result
  ) -> (Result, reads: [Read]) {
    withoutActuallyEscaping(willRead) { willRead in
      let tracker = ReadTracker(outer: current, willRead: willRead)
      current = tracker
      tracker.attend(to: root)
      defer {
        current = tracker.outer
        for object in tracker.tracked { object.endTracking() }
      }
      return (body(root), tracker.reads)
    }
  }

  /// Reads a property of an object that is tracked, perhaps on another thread.
  ///
  /// - Parameters:
  ///   - property: The property's own key path, from the class that declares it.
  ///   - address: Finds out where the property lies; called once for each class and property.
  ///   - value: Reads the property.
  @usableFromInline
  static func read<Value>(
    _ property: AnyKeyPath, of owner: KeyValueObject, at address: () -> UnsafeMutablePointer<Observed<Value>>,
    _ value: () -> Value
  ) -> Value {
    guard let tracker = current else { return value() }
    let properties = ClassProperties.of(owner)
    let index = properties.fieldIndex(of: property, identity: Observed<Value>.identity) {
      UnsafeRawPointer(address()) - UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
    }
    guard let index else { return value() }
    let name = properties.fields[index].name
    properties.learn(property, of: name)
    tracker.willRead(owner, name)
    let lock = owner.lockStorage()
    let value = value()
    lock.unlock()
    tracker.note(value, name, owner, property)
    return value
  }

  private func note<Value>(_ value: Value, _ name: String, _ owner: KeyValueObject, _ keyPath: AnyKeyPath) {
    let value = flattened(value)
    reads.append(Read(owner: owner, name: name, keyPath: keyPath, value: value))
    if let object = value.flatMap(keyValueObject) {
      attend(to: object)
    } else if let collection = value as? any ObjectCollection {
      for object in collection.allObjects.compactMap(keyValueObject) { attend(to: object) }
    }
  }

  private func attend(to object: KeyValueObject) {
    object.beginTracking()
    tracked.append(object)
  }
}
