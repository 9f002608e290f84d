/// The storage of an ``Observed`` property in the objects of a class, and the functions that read and set its value.
///
/// The property's address is that of an object that the caller retains, plus the field's offset, where the class has an
/// `Observed` of exactly this type. So it can be read as one, or as the value, which is the only thing that it stores.
@usableFromInline
package final class ObservedField: Sendable {
  package let name: String
  package let offset: Int
  package let valueType: Any.Type
  /// The size of the value.
  @usableFromInline let size: Int
  /// Whether the value has no size, so that the property may share its address with another.
  var isZeroSized: Bool { size == 0 }
  private let read: @Sendable (UnsafeRawPointer) -> Any?
  /// Whether a value that isn't nil may contain a nested Optional, which is unwrapped for readers.
  let mayHideNil: Bool
  #if !canImport(ObjectiveC)
  /// The value's type; nil if a value that is there may yet be an Optional.
  @usableFromInline let exactType: Any.Type?
  @usableFromInline let optionalType: Any.Type
  /// The value of an ``Observed`` at an address as a change dictionary has it.
  let object: @Sendable (UnsafeRawPointer) -> Any
  /// Whether the value is an object that can be observed, or an Optional of one.
  let isObject: Bool
  /// Wraps the value of an ``Observed`` at an address into an Optional.
  let wrap: @Sendable (_ address: UnsafeRawPointer, _ optional: UnsafeMutableRawPointer) -> Void
  private let alignment: Int
  /// Whether the value is nothing but its bytes.
  private let isTrivial: Bool
  /// Initializes an ``Observed`` at an address with a copy of another one.
  private let initializeCopy: @Sendable (_ copy: UnsafeMutableRawPointer, _ storage: UnsafeRawPointer) -> Void
  /// Deinitializes an ``Observed`` at an address.
  private let deinitializeCopy: @Sendable (_ copy: UnsafeMutableRawPointer) -> Void
  #endif
  private let convert: @Sendable (Any?, _ offset: Int, _ notifies: Bool) -> Assignment
  /// Set if the value is one of Swift's collections.
  private let toMany: (any ToManyAccess)?

  init<Value>(name: String, offset: Int, _ type: Observed<Value>.Type) {
    self.name = name
    self.offset = offset
    valueType = Value.self
    size = MemoryLayout<Value>.size
    if let optional = Value.self as? any OptionalValue.Type {
      read = optional.observedReader
      mayHideNil = optional.mayHideNil
    } else {
      read = { $0.load(as: Value.self) }
      mayHideNil = Value.self == Any.self
    }
    convert = { value, offset, notifies in
      Assignment(value) { object, value in
        let address = Unmanaged.passUnretained(object).toOpaque() + offset
        let storage = address.assumingMemoryBound(to: Observed<Value>.self)
        if notifies {
          if MemoryLayout<Value>.size > 0 { ExclusiveAccess.modify(storage) }
          Observed.replace(storage, of: object, with: value)
        } else {
          let former = Observed.store(value, at: storage, of: object)
          withExtendedLifetime(former) {}
        }
      }
    }
    #if !canImport(ObjectiveC)
    exactType = mayHideNil ? nil : Value.self
    optionalType = Value?.self
    isObject = ((Value.self as? any OptionalValue.Type)?.wrappedType ?? Value.self) is KeyValueObject.Type
    wrap = OptionalLayout.wrapper(of: Value.self)
    object =
      switch (mayHideNil, Value.self as? any OptionalValue.Type) {
      case (true, _): { [read] in read($0).flatMap(unwrapped) ?? NSNull() }
      case (false, .some): { [read] in read($0) ?? NSNull() }
      case (false, nil): { $0.load(as: Value.self) }
      }
    alignment = MemoryLayout<Value>.alignment
    isTrivial = _isPOD(Value.self)
    initializeCopy = { $0.assumingMemoryBound(to: Value.self).initialize(to: $1.load(as: Value.self)) }
    deinitializeCopy = { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    #endif
    toMany = (Value.self as? any EditableCollection.Type).map { Self.access($0) }
  }

  /// The value of the property of `object`.
  func value(of object: KeyValueObject) -> Any? {
    let address = readAddress(in: object)
    let lock = object.lockStorage()
    let value = read(address)
    lock.unlock()
    return mayHideNil ? value.flatMap(unwrapped) : value
  }

  private func address(in object: KeyValueObject) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque() + offset
  }

  /// The address of the property of `object`, for reading it now. Traps if the property is being modified.
  func readAddress(in object: KeyValueObject) -> UnsafeMutableRawPointer {
    let address = address(in: object)
    if !isZeroSized { ExclusiveAccess.read(address) }
    return address
  }

  /// The value of an ``Observed`` of the property's type at `address`, in an object or elsewhere.
  func value(at address: UnsafeRawPointer) -> Any? {
    let value = read(address)
    return mayHideNil ? value.flatMap(unwrapped) : value
  }

  /// An assignment that sets the property to `value`, and notifies observers if `notifies` is true.
  func assignment(of value: Any?, notifies: Bool = true) -> Assignment {
    convert(value, offset, notifies)
  }
}

#if !canImport(ObjectiveC)
extension ObservedField {
  /// The object that is the value of the property of `owner`. The property must have ``isObject``, so that its storage
  /// is a reference or null.
  func object(of owner: KeyValueObject) -> KeyValueObject? {
    let address = readAddress(in: owner)
    let lock = owner.lockStorage()
    defer { lock.unlock() }
    return address.load(as: KeyValueObject?.self)
  }

  /// The same for the setter of the property, unretained. Swift has checked its access, with which no other may overlap.
  func objectInSetter(of owner: KeyValueObject) -> Unmanaged<KeyValueObject>? {
    address(in: owner).load(as: UnsafeRawPointer?.self).map(Unmanaged.fromOpaque)
  }

  /// Copies the value of the property of `object` over an ``Observed`` of its type at `copy`.
  func copy(from object: KeyValueObject, to copy: UnsafeMutableRawPointer) {
    deinitialize(copy)
    initialize(copy, from: object)
  }

  /// Initializes an ``Observed`` of the property's type at `copy` with the value of the property of `object`.
  func initialize(_ copy: UnsafeMutableRawPointer, from object: KeyValueObject) {
    let storage = readAddress(in: object)
    let lock = object.lockStorage()
    initialize(copy, at: storage)
    lock.unlock()
  }

  /// Initializes an ``Observed`` of the property's type at `copy` with the one at `storage`. The caller prevents setters
  /// from replacing it.
  @inline(__always)
  func initialize(_ copy: UnsafeMutableRawPointer, at storage: UnsafeRawPointer) {
    if isTrivial, size == MemoryLayout<Int>.size {
      copy.copyMemory(from: storage, byteCount: MemoryLayout<Int>.size)
    } else if isTrivial {
      copy.copyMemory(from: storage, byteCount: size)
    } else {
      initializeCopy(copy, storage)
    }
  }

  /// Deinitializes an ``Observed`` of the property's type at `copy`. May run foreign code.
  func deinitialize(_ copy: UnsafeMutableRawPointer) {
    if !isTrivial { deinitializeCopy(copy) }
  }

  /// Whether an ``Observed`` of the property's type fits into memory of that size and alignment.
  func fits(size: Int, alignment: Int) -> Bool {
    self.size <= size && self.alignment <= alignment
  }
}
#endif

// MARK: Collections

extension ObservedField {
  private static func access<Value: EditableCollection>(_ type: Value.Type) -> any ToManyAccess { TypedAccess(type) }

  /// Whether the value is one of Swift's collections, or an Optional of one.
  var isToMany: Bool { toMany != nil }

  /// The collection that is the value of the property of `object`; nil if it isn't one of Swift's.
  func collection(of object: KeyValueObject) -> (any ToManyCollection)? {
    let address = readAddress(in: object)
    let lock = object.lockStorage()
    defer { lock.unlock() }
    return toMany?.read(address)
  }

  /// Edits the Swift collection that is the value of the property of `object`, in place and without a notification.
  ///
  /// This may run `hash(into:)` and `==` of elements, for which the property is empty. The `deinit` of removed elements
  /// runs afterwards.
  ///
  /// - Parameter requireCount: Called with the number of elements before the edit. Traps if the edit needs others.
  func edit(_ edit: CollectionEdit, of object: KeyValueObject, requireCount: (Int) -> Void) {
    let removed = toMany?.edit(address(in: object), of: object, edit, requireCount)
    withExtendedLifetime(removed) {}
  }
}

/// Reads and edits a property whose value is one of Swift's collections, at its address.
private protocol ToManyAccess: Sendable {
  func read(_ address: UnsafeMutableRawPointer) -> any ToManyCollection
  func edit(
    _ address: UnsafeMutableRawPointer, of object: KeyValueObject, _ edit: CollectionEdit, _ requireCount: (Int) -> Void
  ) -> Any
}

private struct TypedAccess<Value: EditableCollection>: ToManyAccess {
  init(_ type: Value.Type) {}

  func read(_ address: UnsafeMutableRawPointer) -> any ToManyCollection {
    address.assumingMemoryBound(to: Observed<Value>.self).pointee.value
  }

  /// The collection is moved out of the property while it is edited, because elements may read the property meanwhile.
  func edit(
    _ address: UnsafeMutableRawPointer, of object: KeyValueObject, _ edit: CollectionEdit, _ requireCount: (Int) -> Void
  ) -> Any {
    let property = address.assumingMemoryBound(to: Observed<Value>.self)
    var collection = Observed.store(Value.empty, at: property, of: object).value
    requireCount(collection.objectCount)
    let removed = collection.apply(edit)
    return (removed, Observed.store(collection, at: property, of: object))
  }
}

/// An ``Observed`` property whose type is known only at run time.
protocol ObservedProperty {
  static func field(name: String, offset: Int) -> ObservedField
}

extension Observed: ObservedProperty {
  static func field(name: String, offset: Int) -> ObservedField {
    ObservedField(name: name, offset: offset, Self.self)
  }
}
