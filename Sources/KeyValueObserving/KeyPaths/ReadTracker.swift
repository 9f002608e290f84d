/// Records which `@Observed` properties of which objects are read while a function runs on this thread.
///
/// Only objects that a tracker has found report their reads, so that other reads aren't slowed down: the object at
/// which it begins, and each object in a value that is read from such an object, or in one of its stored properties.
@usableFromInline
final class ReadTracker {
  /// A property that is read, with the data that a tracker needs. It is created once for each class, and never
  /// deallocated.
  @usableFromInline
  final class Property: Sendable {
    /// The property's own key path, from the class that declares it.
    // Key paths are immutable.
    nonisolated(unsafe) fileprivate let keyPath: AnyKeyPath
    let properties: ClassProperties
    let index: Int
    /// The data that the platform's tracking needs.
    let details: Details

    fileprivate init(_ keyPath: AnyKeyPath, of owner: KeyValueObject, _ properties: ClassProperties, _ index: Int) {
      self.keyPath = keyPath
      self.properties = properties
      self.index = index
      details = Details(owner, properties, index)
    }
  }

  /// One read of a property.
  struct Read {
    let owner: KeyValueObject
    let property: Property
    /// The property's own key path, from the class that declares it.
    var keyPath: AnyKeyPath { property.keyPath }
    var name: String { property.properties.fields[property.index].name }
  }

  private let outer: Unmanaged<ReadTracker>?
  private let willRead: (KeyValueObject, Property) -> Void
  // Only one thread uses a tracker, and no access to its variables runs foreign code.
  @exclusivity(unchecked) private var recent = RecentProperties()
  /// The objects that were found, where the platform's tracking needs them.
  @exclusivity(unchecked) var objects = Objects()

  private init(willRead: @escaping (KeyValueObject, Property) -> Void) {
    outer = Self.current
    self.willRead = willRead
  }

  private static let address = ThreadLocal()

  /// The active tracker of this thread, which the function that set it retains.
  @usableFromInline
  static var current: Unmanaged<ReadTracker>? {
    get {
      guard let pointer = UnsafeRawPointer(bitPattern: address.value) else { return nil }
      return Unmanaged.fromOpaque(pointer)
    }
    set { address.value = UInt(bitPattern: newValue?.toOpaque()) }
  }

  /// Whether a read tracker is active on this thread.
  static var isAtWork: Bool { address.value != 0 }

  /// Calls `body`, which reads from `root`.
  ///
  /// - Parameters:
  ///   - other: Another object whose reads to record, which might not be found from `root`.
  ///   - willRead: Called before each read with the object and its property.
  /// - Returns: The result of `body`.
  @discardableResult
  static func track<Root: KeyValueObservable, Result>(
    _ root: Root, also other: KeyValueObservable? = nil, willRead: (KeyValueObject, Property) -> Void,
    _ body: (Root) -> Result
  ) -> Result {
    withoutActuallyEscaping(willRead) { willRead in
      let tracker = ReadTracker(willRead: willRead)
      current = Unmanaged.passUnretained(tracker)
      defer {
        current = tracker.outer
        tracker.end()
      }
      tracker.begin(at: root)
      if let other { tracker.begin(at: other) }
      return body(root)
    }
  }

  /// Calls `body`, which reads from `root`, and returns its result and the reads, in order.
  ///
  /// - Parameter other: Another object whose reads to record, which might not be found from `root`.
  static func reads<Root: KeyValueObservable, Result>(
    from root: Root, also other: KeyValueObservable? = nil, _ body: (Root) -> Result
  ) -> (Result, reads: [Read]) {
    var reads: [Read] = []
    let result = track(root, also: other, willRead: { reads.append(Read(owner: $0, property: $1)) }, body)
    return (result, reads)
  }
}

// MARK: Reads

extension ReadTracker {
  /// Begins a read of a property of an object that is tracked, perhaps on another thread.
  ///
  /// Each closure captures only a key path. So the optimizer creates the key path inside the closure, and a getter that
  /// isn't tracked creates none.
  ///
  /// - Parameters:
  ///   - property: The property's own key path, from the class that declares it.
  ///   - storage: Returns the key path of the property's storage. It is called once for each class and property.
  // Inlined, so that only the first read of a property runs unspecialized generic code.
  @inlinable
  static func willRead<Owner: KeyValueObject, Value>(
    of owner: Owner, _ property: () -> AnyKeyPath, storage: () -> ReferenceWritableKeyPath<Owner, Observed<Value>>
  ) -> PendingRead? {
    guard let tracker = current else { return nil }
    let keyPath = property()
    return tracker._withUnsafeGuaranteedRef { tracker in
      if let read = tracker.willRead(keyPath, of: owner) { return read }
      return tracker.willReadFirst(keyPath, of: owner, identity: Observed<Value>.identity) {
        Observed<Value>.offset(of: storage(), in: owner)
      }
    }
  }

  /// A read that has begun.
  @usableFromInline
  struct PendingRead {
    // Retained by the function that made it active.
    fileprivate let tracker: Unmanaged<ReadTracker>
    // Never deallocated.
    fileprivate let property: Unmanaged<Property>
  }

  /// Begins a read of a property that the tracker has met before.
  @usableFromInline
  func willRead(_ keyPath: AnyKeyPath, of owner: KeyValueObject) -> PendingRead? {
    guard let property = recent.property(of: keyPath, in: type(of: owner)) else { return nil }
    return begin(owner, property)
  }

  @usableFromInline
  func willReadFirst(
    _ keyPath: AnyKeyPath, of owner: KeyValueObject, identity: Any.Type?, offset: () -> Int
  ) -> PendingRead? {
    let properties = ClassProperties.of(owner)
    guard let index = properties.fieldIndex(of: keyPath, identity: identity, offset: offset) else { return nil }
    let property = ClassKeyPaths.of(properties).readProperty(at: index) {
      Property(keyPath, of: owner, properties, index)
    }
    recent.append(.passUnretained(property), of: keyPath, in: type(of: owner))
    return begin(owner, .passUnretained(property))
  }

  @inline(__always)
  private func begin(_ owner: KeyValueObject, _ property: Unmanaged<Property>) -> PendingRead {
    property._withUnsafeGuaranteedRef { willRead(owner, $0) }
    return PendingRead(tracker: .passUnretained(self), property: property)
  }

  /// Ends a read that returns `value`.
  @inlinable
  @inline(never)
  static func didRead<Value>(_ value: Value, _ read: PendingRead) {
    withUnsafePointer(to: value) { finish(read, $0) }
  }

  @usableFromInline
  static func finish(_ read: PendingRead, _ value: UnsafeRawPointer) {
    read.property._withUnsafeGuaranteedRef { property in
      read.tracker._withUnsafeGuaranteedRef { $0.search(value, of: property) }
    }
  }
}

/// The properties that a tracker has met, by key path object and class. A key path literal is one object, so usually its
/// address identifies it.
private struct RecentProperties {
  private struct Entry {
    let keyPath: AnyKeyPath
    let type: ObjectIdentifier
    let property: Unmanaged<ReadTracker.Property>
  }

  private static let limit = 64
  private var entries: [Entry] = []

  @inline(__always)
  func property(of keyPath: AnyKeyPath, in type: AnyClass) -> Unmanaged<ReadTracker.Property>? {
    let type = ObjectIdentifier(type)
    return entries.withUnsafeBufferPointer { entries in
      for index in entries.indices where entries[index].keyPath === keyPath && entries[index].type == type {
        return entries[index].property
      }
      return nil
    }
  }

  mutating func append(_ property: Unmanaged<ReadTracker.Property>, of keyPath: AnyKeyPath, in type: AnyClass) {
    guard entries.count < Self.limit else { return }
    entries.append(Entry(keyPath: keyPath, type: ObjectIdentifier(type), property: property))
  }
}
