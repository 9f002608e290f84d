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

  /// Begins to read a property of an object that is tracked, perhaps on another thread.
  ///
  /// Each closure captures nothing but a key path. So the optimiser makes the key path inside of it, and a getter that is
  /// not tracked makes none.
  ///
  /// - Parameters:
  ///   - property: The property's own key path, from the class that declares it.
  ///   - address: Finds out where the property lies; called once for each class and property.
  @usableFromInline
  static func willRead<Owner: KeyValueObject, Value>(
    of owner: Owner, _ property: () -> AnyKeyPath, at address: (Owner) -> UnsafeMutablePointer<Observed<Value>>
  ) -> PendingRead? {
    guard let tracker = current else { return nil }
    let keyPath = property()
    let properties = ClassProperties.of(owner)
    let index = properties.fieldIndex(of: keyPath, identity: Observed<Value>.identity) {
      UnsafeRawPointer(address(owner)) - UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
    }
    guard let index else { return nil }
    let name = properties.fields[index].name
    properties.learn(keyPath, of: name)
    tracker.willRead(owner, name)
    return PendingRead(tracker: tracker, owner: owner, name: name, keyPath: keyPath)
  }

  /// A read that has begun.
  @usableFromInline
  struct PendingRead {
    let tracker: ReadTracker
    let owner: KeyValueObject
    let name: String
    let keyPath: AnyKeyPath
  }

  @usableFromInline
  static func didRead<Value>(_ value: Value, _ read: PendingRead) {
    read.tracker.note(value, read.name, read.owner, read.keyPath)
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
