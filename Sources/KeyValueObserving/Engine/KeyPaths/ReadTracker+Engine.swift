#if !canImport(ObjectiveC)
// Only the objects that the tracker has found report their reads.
extension ReadTracker {
  /// The objects that a tracker has found.
  struct Objects {
    fileprivate var tracked: [KeyValueObject] = []
    /// The addresses of all objects that were found.
    fileprivate var found = AddressSet()
    /// Objects other than `tracked` that were found. They are retained so that their addresses aren't reused.
    fileprivate var others: [AnyObject] = []
    /// Objects whose stored properties haven't been searched yet.
    fileprivate var unexplored: [AnyObject] = []
    fileprivate var latestContents: (type: AnyClass, contents: ClassContents)?
  }

  func begin(at root: KeyValueObject) {
    found(root)
    explore()
  }

  /// Finds the objects in a value of a property that was read.
  func search<Value>(_ value: Value, of property: Property) {
    guard let finder = property.details.finder else { return }
    withUnsafePointer(to: value) { finder.visit($0, self) }
    explore()
  }

  func end() {
    for object in objects.tracked { object.endTracking() }
  }

  /// Adds an object that was found in a value. An observable object reports its reads from now on.
  func found(_ object: AnyObject) {
    guard objects.found.insert(Unmanaged.passUnretained(object).toOpaque()) else { return }
    let contents = contents(of: type(of: object))
    if contents.isKeyValueObject {
      let object = unsafeDowncast(object, to: KeyValueObject.self)
      object.beginTracking()
      objects.tracked.append(object)
    } else {
      objects.others.append(object)
    }
    if contents.visit != nil { objects.unexplored.append(object) }
  }

  /// Searches the stored properties of the objects that were found, without recursion, because objects may form long
  /// chains.
  private func explore() {
    while let object = objects.unexplored.popLast() {
      contents(of: type(of: object)).visit?(object, self)
    }
  }

  private func contents(of type: AnyClass) -> ClassContents {
    if let latest = objects.latestContents, latest.type == type { return latest.contents }
    let contents = ClassContents.of(type)
    objects.latestContents = (type, contents)
    return contents
  }
}

extension ReadTracker.Property {
  struct Details {
    /// The key of the property in objects of the class.
    let key: ObservedKey
    /// Finds the objects in a value of the property.
    fileprivate let finder: ObjectFinder?

    init(_ owner: KeyValueObject, _ properties: ClassProperties, _ index: Int) {
      key = ObservedKeys.of(owner).key(ofFieldAt: index)
      finder = ObjectFinder.of(properties.fields[index].valueType)
    }
  }

  var key: ObservedKey { details.key }
}

/// A set of addresses that is faster than `Set`, because it isn't protected against deliberate collisions.
private struct AddressSet {
  private var slots: [UInt] = Array(repeating: 0, count: 16)
  private var count = 0

  /// - Returns: Whether the address is new.
  mutating func insert(_ address: UnsafeRawPointer) -> Bool {
    if count * 2 >= slots.count { grow() }
    return Self.insert(UInt(bitPattern: address), &slots, &count)
  }

  private static func insert(_ address: UInt, _ slots: inout [UInt], _ count: inout Int) -> Bool {
    slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count - 1
      var index = Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
      while slots[index] != 0 {
        if slots[index] == address { return false }
        index = (index + 1) & mask
      }
      slots[index] = address
      count += 1
      return true
    }
  }

  private mutating func grow() {
    let former = slots
    slots = Array(repeating: 0, count: former.count * 2)
    count = 0
    for address in former where address != 0 { _ = Self.insert(address, &slots, &count) }
  }
}
#endif
