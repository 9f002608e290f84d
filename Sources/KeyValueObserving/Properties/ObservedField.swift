/// Where an ``Observed`` property lies in the objects of a class, and how its value is read and set.
///
/// The address of the property is that of an object that the caller holds, plus the field's offset, which is where the
/// class has an `Observed` of just this type: so it may be read as one, or as the value, which is all that it stores.
final class ObservedField: Sendable {
  let name: String
  let offset: Int
  let valueType: Any.Type
  /// Whether the value takes no room, so that the property's address may also be that of another.
  let isZeroSized: Bool
  private let read: @Sendable (UnsafeRawPointer) -> Any?
  /// Whether a value that is there may yet be an Optional, which readers get unwrapped.
  let mayHideNil: Bool
  #if !canImport(ObjectiveC)
  let optionalType: Any.Type
  /// Whether the value is an object that can be observed, or an Optional of one.
  let isObject: Bool
  /// Makes an Optional of the value of an ``Observed`` at an address.
  let wrap: @Sendable (_ address: UnsafeRawPointer, _ optional: UnsafeMutableRawPointer) -> Void
  /// Copies the property of an object over an ``Observed`` at an address.
  private let copyValue:
    @Sendable (_ object: KeyValueObject, _ storage: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer) -> Void
  #endif
  private let convert: @Sendable (Any?, _ offset: Int, _ notifies: Bool) -> Assignment
  /// Set if the value is one of Swift's collections.
  private let toMany: (any ToManyAccess)?

  init<Value>(name: String, offset: Int, _ type: Observed<Value>.Type) {
    self.name = name
    self.offset = offset
    valueType = Value.self
    isZeroSized = MemoryLayout<Value>.size == 0
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
    optionalType = Value?.self
    isObject = ((Value.self as? any OptionalValue.Type)?.wrappedType ?? Value.self) is KeyValueObject.Type
    wrap = { address, optional in
      optional.initializeMemory(as: Value?.self, to: address.load(as: Value.self))
    }
    copyValue = { object, storage, copy in
      let lock = object.lockStorage()
      let value = storage.load(as: Observed<Value>.self)
      lock.unlock()
      // What was there is released here.
      copy.assumingMemoryBound(to: Observed<Value>.self).pointee = value
    }
    #endif
    toMany = (Value.self as? any EditableCollection.Type).map { Self.access($0) }
  }

  /// The value of the property of `object`.
  func value(of object: KeyValueObject) -> Any? {
    let address = readAddress(in: object)
    let lock = object.lockStorage()
    let value = read(address)
    lock.unlock()
    return mayHideNil ? value.flatMap(flattened) : value
  }

  /// Where the property of `object` lies, to be read now: which stops the process if somebody is modifying it.
  private func readAddress(in object: KeyValueObject) -> UnsafeMutableRawPointer {
    let address = Unmanaged.passUnretained(object).toOpaque() + offset
    if !isZeroSized { ExclusiveAccess.read(address) }
    return address
  }

  /// The value of an ``Observed`` of the property's type that lies at `address`, in an object or elsewhere.
  func value(at address: UnsafeRawPointer) -> Any? {
    let value = read(address)
    return mayHideNil ? value.flatMap(flattened) : value
  }

  /// What sets the property to `value`, and notifies if it is to.
  func assignment(of value: Any?, notifies: Bool = true) -> Assignment {
    convert(value, offset, notifies)
  }
}

#if !canImport(ObjectiveC)
extension ObservedField {
  /// The object that is the value of the property of `owner`, if that ``isObject``: a reference, or null for nil.
  func object(of owner: KeyValueObject) -> KeyValueObject? {
    let address = readAddress(in: owner)
    let lock = owner.lockStorage()
    defer { lock.unlock() }
    return address.load(as: KeyValueObject?.self)
  }

  /// Copies the value of the property of `object` over an ``Observed`` of its type at `copy`.
  func copy(from object: KeyValueObject, to copy: UnsafeMutableRawPointer) {
    copyValue(object, readAddress(in: object), copy)
  }
}
#endif

// MARK: Collections

extension ObservedField {
  private static func access<Value: EditableCollection>(_ type: Value.Type) -> any ToManyAccess { TypedAccess(type) }

  /// Whether the value is one of Swift's collections, or an Optional of one.
  var isToMany: Bool { toMany != nil }

  /// The collection that the property of `object` holds; nil if it isn't one of Swift's.
  func collection(of object: KeyValueObject) -> (any ToManyCollection)? {
    let address = readAddress(in: object)
    let lock = object.lockStorage()
    defer { lock.unlock() }
    return toMany?.read(address)
  }

  /// Edits the Swift collection that the property of `object` holds, without copying it, and notifies nobody.
  ///
  /// That may run the `hash` and `==` of elements, to which the property reads as empty; their `deinit` runs afterwards.
  func edit(_ edit: CollectionEdit, of object: KeyValueObject) {
    let removed = toMany?.edit(Unmanaged.passUnretained(object).toOpaque() + offset, of: object, edit)
    withExtendedLifetime(removed) {}
  }
}

/// How a property that holds one of Swift's collections is read and edited at its address.
private protocol ToManyAccess: Sendable {
  func read(_ address: UnsafeMutableRawPointer) -> any ToManyCollection
  func edit(_ address: UnsafeMutableRawPointer, of object: KeyValueObject, _ edit: CollectionEdit) -> Any
}

private struct TypedAccess<Value: EditableCollection>: ToManyAccess {
  init(_ type: Value.Type) {}

  func read(_ address: UnsafeMutableRawPointer) -> any ToManyCollection {
    address.assumingMemoryBound(to: Observed<Value>.self).pointee.value
  }

  /// The collection leaves the property while it is edited, since elements may read the property meanwhile.
  func edit(_ address: UnsafeMutableRawPointer, of object: KeyValueObject, _ edit: CollectionEdit) -> Any {
    let property = address.assumingMemoryBound(to: Observed<Value>.self)
    var collection = Observed.store(Value.empty, at: property, of: object).value
    let removed = collection.apply(edit)
    return (removed, Observed.store(collection, at: property, of: object))
  }
}
