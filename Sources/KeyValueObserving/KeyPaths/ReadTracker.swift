/// Records which `@Observed` properties of which objects are read while a function runs on this thread.
///
/// Only objects that a tracker has found report their reads, so that other reads aren't slowed down: the object at
/// which it begins, and each object in a value that is read from such an object, or in one of its stored properties.
@usableFromInline
final class ReadTracker {
  /// A property that is read, with the data that a tracker needs.
  @usableFromInline
  final class Property {
    fileprivate let keyPath: AnyKeyPath
    fileprivate let ownerType: AnyClass
    let properties: ClassProperties
    let index: Int
    /// The data that the platform's tracking needs.
    let details: Details

    fileprivate init(_ keyPath: AnyKeyPath, of owner: KeyValueObject, _ properties: ClassProperties, _ index: Int) {
      self.keyPath = keyPath
      ownerType = type(of: owner)
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

  private let outer: ReadTracker?
  private let willRead: (KeyValueObject, Property) -> Void
  private var properties: [Property] = []
  /// The objects that were found, where the platform's tracking needs them.
  var objects = Objects()

  private init(willRead: @escaping (KeyValueObject, Property) -> Void) {
    outer = Self.current
    self.willRead = willRead
  }

  private static let address = ThreadLocal()

  /// The active tracker of this thread, which the function that set it retains.
  private static var current: ReadTracker? {
    get {
      UnsafeRawPointer(bitPattern: address.value).map { Unmanaged<ReadTracker>.fromOpaque($0).takeUnretainedValue() }
    }
    set { address.value = UInt(bitPattern: newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
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
      current = tracker
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
  @usableFromInline
  static func willRead<Owner: KeyValueObject, Value>(
    of owner: Owner, _ property: () -> AnyKeyPath, storage: () -> ReferenceWritableKeyPath<Owner, Observed<Value>>
  ) -> PendingRead? {
    guard let tracker = current else { return nil }
    let keyPath = property()
    let known =
      tracker.known(keyPath, of: owner)
      ?? tracker.find(keyPath, of: owner, identity: Observed<Value>.identity) {
        Observed<Value>.offset(of: storage(), in: owner)
      }
    guard let known else { return nil }
    tracker.willRead(owner, known)
    return PendingRead(tracker: tracker, property: known)
  }

  /// A read that has begun.
  @usableFromInline
  struct PendingRead {
    let tracker: ReadTracker
    let property: Property
  }

  @usableFromInline
  static func didRead<Value>(_ value: Value, _ read: PendingRead) {
    read.tracker.search(value, of: read.property)
  }

  /// The property of a key path that was read before. A key path literal is one object, so usually its address
  /// identifies it.
  private func known(_ keyPath: AnyKeyPath, of owner: KeyValueObject) -> Property? {
    let type = Swift.type(of: owner)
    for property in properties where property.keyPath === keyPath && property.ownerType == type { return property }
    return nil
  }

  private func find(
    _ keyPath: AnyKeyPath, of owner: KeyValueObject, identity: Any.Type?, offset: () -> Int
  ) -> Property? {
    let properties = ClassProperties.of(owner)
    guard let index = properties.fieldIndex(of: keyPath, identity: identity, offset: offset) else { return nil }
    let property = Property(keyPath, of: owner, properties, index)
    if self.properties.count < 64 { self.properties.append(property) }
    return property
  }
}
