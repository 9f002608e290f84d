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
    #if !canImport(ObjectiveC)
    /// The key of the property in objects of the class.
    let key: ObservedKey
    /// Finds the objects in a value of the property.
    fileprivate let finder: ObjectFinder?
    #endif

    fileprivate init(_ keyPath: AnyKeyPath, of owner: KeyValueObject, _ properties: ClassProperties, _ index: Int) {
      self.keyPath = keyPath
      ownerType = type(of: owner)
      self.properties = properties
      self.index = index
      #if !canImport(ObjectiveC)
      key = ObservedKeys.of(owner).key(ofFieldAt: index)
      finder = ObjectFinder.of(properties.fields[index].valueType)
      #endif
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
  #if !canImport(ObjectiveC)
  private var tracked: [KeyValueObject] = []
  /// The addresses of all objects that were found.
  private var found = AddressSet()
  /// Objects other than `tracked` that were found. They are retained so that their addresses aren't reused.
  private var others: [AnyObject] = []
  /// Objects whose stored properties haven't been searched yet.
  private var unexplored: [AnyObject] = []
  private var latestContents: (type: AnyClass, contents: ClassContents)?
  #endif

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
  /// - Parameter willRead: Called before each read with the object and its property.
  /// - Returns: The result of `body`.
  @discardableResult
  static func track<Root: KeyValueObservable, Result>(
    _ root: Root, willRead: (KeyValueObject, Property) -> Void, _ body: (Root) -> Result
  ) -> Result {
    withoutActuallyEscaping(willRead) { willRead in
      let tracker = ReadTracker(willRead: willRead)
      current = tracker
      defer {
        current = tracker.outer
        tracker.end()
      }
      tracker.begin(at: root)
      return body(root)
    }
  }

  /// Calls `body`, which reads from `root`, and returns its result and the reads, in order.
  static func reads<Root: KeyValueObservable, Result>(
    from root: Root, _ body: (Root) -> Result
  ) -> (Result, reads: [Read]) {
    var reads: [Read] = []
    let result = track(root, willRead: { reads.append(Read(owner: $0, property: $1)) }, body)
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
    #if !canImport(ObjectiveC)
    guard let finder = read.property.finder else { return }
    withUnsafePointer(to: value) { finder.visit($0, read.tracker) }
    read.tracker.explore()
    #endif
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

#if canImport(ObjectiveC)
extension ReadTracker {
  private func begin(at root: KeyValueObservable) {}
  private func end() {}
}
#else
// MARK: Objects

extension ReadTracker {
  private func begin(at root: KeyValueObject) {
    found(root)
    explore()
  }

  private func end() {
    for object in tracked { object.endTracking() }
  }

  /// Adds an object that was found in a value. An observable object reports its reads from now on.
  func found(_ object: AnyObject) {
    guard found.insert(Unmanaged.passUnretained(object).toOpaque()) else { return }
    let contents = contents(of: type(of: object))
    if contents.isKeyValueObject {
      let object = unsafeDowncast(object, to: KeyValueObject.self)
      object.beginTracking()
      tracked.append(object)
    } else {
      others.append(object)
    }
    if contents.visit != nil { unexplored.append(object) }
  }

  /// Searches the stored properties of the objects that were found, without recursion, because objects may form long
  /// chains.
  private func explore() {
    while let object = unexplored.popLast() {
      contents(of: type(of: object)).visit?(object, self)
    }
  }

  private func contents(of type: AnyClass) -> ClassContents {
    if let latestContents, latestContents.type == type { return latestContents.contents }
    let contents = ClassContents.of(type)
    latestContents = (type, contents)
    return contents
  }
}
#endif
