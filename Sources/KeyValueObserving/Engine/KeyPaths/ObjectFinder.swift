#if !canImport(ObjectiveC)
import Synchronization

/// Finds the objects in values of one type: in Optionals, collections, dictionaries, structs, tuples, and enums, at any
/// depth.
///
/// A type is analyzed once, and a type that can't contain objects has no finder, so numbers and strings aren't
/// searched.
///
/// Fields are read at the offsets from the standard library's reflection, while the caller retains the value. Only
/// strong references and plain values are read.
final class ObjectFinder: Sendable {
  /// Passes each object in the value at an address to a tracker.
  // It captures only types and offsets.
  nonisolated(unsafe) let visit: (_ address: UnsafeRawPointer, _ tracker: ReadTracker) -> Void

  init(_ visit: @escaping (_ address: UnsafeRawPointer, _ tracker: ReadTracker) -> Void) {
    self.visit = visit
  }

  /// A finder of the table, which is never deallocated, so that using it needs no reference counting.
  struct Borrowed: Sendable {
    fileprivate let finder: Unmanaged<ObjectFinder>

    fileprivate init(_ finder: Unmanaged<ObjectFinder>) {
      self.finder = finder
    }

    @inline(__always)
    func visit(_ address: UnsafeRawPointer, _ tracker: ReadTracker) {
      finder._withUnsafeGuaranteedRef { $0.visit(address, tracker) }
    }
  }

  private static let lock = Lock()
  nonisolated(unsafe) private static var finders: [ObjectIdentifier: ObjectFinder?] = [:]

  /// The finder for values of `type`; nil if they contain no objects.
  static func of(_ type: Any.Type) -> Borrowed? {
    let identifier = ObjectIdentifier(type)
    if let known = lock.withLock({ finders[identifier] }) { return known.map { Borrowed(.passUnretained($0)) } }
    func open<Value>(_ type: Value.Type) -> ObjectFinder? { make(type) }
    let made = open(type)
    let kept: ObjectFinder? = lock.withLock {
      if let known = finders[identifier] { return known }
      finders[identifier] = .some(made)
      return made
    }
    return kept.map { Borrowed(.passUnretained($0)) }
  }

  /// Passes the objects in `value` to `tracker`.
  static func visit(_ value: Any, _ tracker: ReadTracker) {
    func open<Value>(_ value: Value) {
      guard let finder = of(Value.self) else { return }
      withUnsafePointer(to: value) { finder.visit($0, tracker) }
    }
    open(value)
  }

  private static func make<Value>(_ type: Value.Type) -> ObjectFinder? {
    if let container = type as? any ObjectContainer.Type { return container.objectFinder }
    if type is AnyClass {
      return ObjectFinder { address, tracker in tracker.found(address.load(as: Unmanaged<AnyObject>.self)) }
    }
    guard !_isPOD(type) else { return nil }
    switch TypeLayout.kind(of: type) {
    case .existential:
      // A value of any protocol type begins like an `Any`: with the value or its box, and the type.
      if TypeLayout.isOpaqueExistential(type) {
        return ObjectFinder { address, tracker in visit(address.load(as: Any.self), tracker) }
      }
      if type == (any Error).self {
        return ObjectFinder { address, tracker in visit(address.load(as: (any Error).self), tracker) }
      }
      return ObjectFinder { address, tracker in tracker.found(address.load(as: Unmanaged<AnyObject>.self)) }
    case .enumeration:
      return ObjectFinder { address, tracker in
        for child in Mirror(reflecting: address.load(as: Value.self)).children { visit(child.value, tracker) }
      }
    case .structure:
      if let collection = type as? any Collection.Type { return Self.finder(collection) }
      return Self.finder(ofFieldsOf: type)
    case .tuple:
      return Self.finder(ofFieldsOf: type)
    case .other:
      return nil
    }
  }

  private static func finder<Elements: Collection>(_ type: Elements.Type) -> ObjectFinder? {
    guard !_isPOD(Elements.Element.self), Elements.Element.self != Character.self else { return nil }
    let elements = ElementFinder(Elements.Element.self)
    return ObjectFinder { address, tracker in
      guard let finder = elements.finder else { return }
      for element in address.load(as: Elements.self) {
        withUnsafePointer(to: element) { finder.visit($0, tracker) }
      }
    }
  }

  private static func finder(ofFieldsOf type: Any.Type) -> ObjectFinder? {
    let fields = TypeLayout.fields(of: type).compactMap { field in
      field.isStrong ? of(field.type).map { (offset: field.offset, finder: $0) } : nil
    }
    guard !fields.isEmpty else { return nil }
    return ObjectFinder { address, tracker in
      for field in fields { field.finder.visit(address + field.offset, tracker) }
    }
  }
}

/// A generic type that finds the objects in it itself.
private protocol ObjectContainer {
  static var objectFinder: ObjectFinder? { get }
}

extension Optional: ObjectContainer {
  fileprivate static var objectFinder: ObjectFinder? {
    if Wrapped.self is AnyClass {
      // Without Objective-C, the layout of all optional references is the same.
      return ObjectFinder { address, tracker in
        if let object = address.load(as: Unmanaged<AnyObject>?.self) { tracker.found(object) }
      }
    }
    return ObjectFinder.of(Wrapped.self).map { finder in
      ObjectFinder { address, tracker in
        guard let wrapped = address.load(as: Wrapped?.self) else { return }
        withUnsafePointer(to: wrapped) { finder.visit($0, tracker) }
      }
    }
  }
}

extension Array: ObjectContainer {
  fileprivate static var objectFinder: ObjectFinder? {
    if Element.self is AnyClass {
      // Without Objective-C, all arrays of references have the same layout.
      return ObjectFinder { address, tracker in
        address.load(as: Unmanaged<AnyObject>.self)._withUnsafeGuaranteedRef { storage in
          unsafeBitCast(storage, to: [AnyObject].self).withUnsafeBytes { elements in
            for object in elements.assumingMemoryBound(to: Unmanaged<AnyObject>.self) { tracker.found(object) }
          }
        }
      }
    }
    guard !_isPOD(Element.self) else { return nil }
    let elements = ElementFinder(Element.self)
    return ObjectFinder { address, tracker in
      guard let finder = elements.finder else { return }
      address.load(as: [Element].self).withUnsafeBufferPointer { elements in
        guard var address = elements.baseAddress.map(UnsafeRawPointer.init) else { return }
        for _ in elements.indices {
          finder.visit(address, tracker)
          address += MemoryLayout<Element>.stride
        }
      }
    }
  }
}

/// The finder for the elements of a collection. It is found when it is first needed, because a type may contain a
/// collection of itself.
private final class ElementFinder: Sendable {
  private let type: Any.Type
  /// The address of the finder, which is never deallocated; ``none`` if there is none, and 0 until it is needed.
  private let address = Atomic<UInt>(0)
  private static let none: UInt = 1

  init(_ type: Any.Type) {
    self.type = type
  }

  var finder: ObjectFinder.Borrowed? {
    let known = address.load(ordering: .acquiring)
    guard known <= Self.none else {
      return UnsafeRawPointer(bitPattern: known).map { ObjectFinder.Borrowed(.fromOpaque($0)) }
    }
    guard known == 0 else { return nil }
    let found = ObjectFinder.of(type)
    let word = found.map { UInt(bitPattern: $0.finder.toOpaque()) }
    address.store(word ?? Self.none, ordering: .releasing)
    return found
  }
}

/// The stored properties of a class that lead to other objects.
///
/// For an observable class these are all except the `@Observed` ones, which report their reads themselves. For any
/// other class they are the constants, because variables may be guarded by a lock.
final class ClassContents: Sendable {
  let isKeyValueObject: Bool
  /// Whether there are any.
  let leadsToObjects: Bool
  /// Passes the objects that an object of the class leads to to a tracker.
  // It captures only types and offsets.
  nonisolated(unsafe) let visit: (_ object: AnyObject, _ tracker: ReadTracker) -> Void

  private init(_ type: AnyClass) {
    let isKeyValueObject = type is KeyValueObject.Type
    self.isKeyValueObject = isKeyValueObject
    if type is any ObjectCollection.Type {
      leadsToObjects = true
      visit = { object, tracker in
        for element in (object as? any ObjectCollection)?.allObjects ?? [] { ObjectFinder.visit(element, tracker) }
      }
    } else if type is NSDictionary.Type {
      leadsToObjects = true
      visit = { object, tracker in
        for value in (object as? NSDictionary)?.allValues ?? [] { ObjectFinder.visit(value, tracker) }
      }
    } else {
      let fields = TypeLayout.fields(of: type).compactMap { field -> (offset: Int, finder: ObjectFinder.Borrowed)? in
        let isLookedAt = isKeyValueObject ? !(field.type is any ObservedProperty.Type) : !field.isVariable
        guard field.isStrong, isLookedAt else { return nil }
        return ObjectFinder.of(field.type).map { (field.offset, $0) }
      }
      leadsToObjects = !fields.isEmpty
      visit = { object, tracker in
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        for field in fields { field.finder.visit(address + field.offset, tracker) }
      }
    }
  }

  private static let cache = ClassCache<ClassContents>()

  static func of(_ type: AnyClass) -> ClassContents {
    cache.value(for: type) { ClassContents(type) }
  }
}
#endif
