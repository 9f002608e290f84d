#if !canImport(ObjectiveC)
// Only the objects that the tracker has found report their reads.
extension ReadTracker {
  /// The objects that a tracker has found.
  struct Objects {
    /// The objects that report their reads, which are retained until the tracker ends.
    fileprivate var tracked: [Unmanaged<KeyValueObject>] = []
    /// The addresses of all objects that were found.
    fileprivate var found = AddressSet()
    /// Objects other than `tracked` that were found. They are retained so that their addresses aren't reused.
    fileprivate var others: [AnyObject] = []
    /// Objects whose stored properties haven't been searched yet.
    fileprivate var unexplored: [Unmanaged<AnyObject>] = []
    fileprivate var latestContents: (type: ObjectIdentifier, contents: Unmanaged<ClassContents>)?
  }

  func begin(at root: KeyValueObject) {
    found(Unmanaged.passUnretained(root))
    explore()
  }

  /// Finds the objects in the value of a property that was read, at that address.
  func search(_ value: UnsafeRawPointer, of property: Property) {
    guard let finder = property.details.finder else { return }
    finder.visit(value, self)
    explore()
  }

  func end() {
    objects.tracked.withUnsafeBufferPointer { tracked in
      for object in tracked {
        object._withUnsafeGuaranteedRef { $0.endTracking() }
        object.release()
      }
    }
    objects.tracked = []
  }

  /// Adds an object that was found in a value. An observable object reports its reads from now on.
  func found(_ object: Unmanaged<some AnyObject>) {
    found(object.toOpaque())
  }

  private func found(_ address: UnsafeMutableRawPointer) {
    guard objects.found.insert(address) else { return }
    let object = Unmanaged<AnyObject>.fromOpaque(address)
    object._withUnsafeGuaranteedRef { reference in
      contents(of: type(of: reference))._withUnsafeGuaranteedRef { contents in
        if contents.isKeyValueObject {
          let observable = unsafeDowncast(reference, to: KeyValueObject.self)
          observable.beginTracking()
          objects.tracked.append(.passRetained(observable))
        } else {
          objects.others.append(reference)
        }
        if contents.leadsToObjects { objects.unexplored.append(object) }
      }
    }
  }

  /// Searches the stored properties of the objects that were found, without recursion, because objects may form long
  /// chains.
  private func explore() {
    while let object = objects.unexplored.popLast() {
      object._withUnsafeGuaranteedRef { object in
        contents(of: type(of: object))._withUnsafeGuaranteedRef { $0.visit(object, self) }
      }
    }
  }

  private func contents(of type: AnyClass) -> Unmanaged<ClassContents> {
    let identifier = ObjectIdentifier(type)
    if let latest = objects.latestContents, latest.type == identifier { return latest.contents }
    // Never deallocated.
    let contents = Unmanaged.passUnretained(ClassContents.of(type))
    objects.latestContents = (identifier, contents)
    return contents
  }
}

extension ReadTracker.Property {
  struct Details {
    /// The key of the property in objects of the class.
    let key: ObservedKey
    /// Finds the objects in a value of the property; nil if there are none.
    fileprivate let finder: ObjectFinder.Borrowed?

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
