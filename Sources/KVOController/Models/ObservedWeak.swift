import CKeyValueObserving

/// A weak reference of a ``KeyValueObject`` that takes part in Key-Value Coding and Key-Value Observing like an
/// ``Observed`` property.
///
///     final class Node: KeyValueObject {
///       @Observed var children: [Node] = []
///       @ObservedWeak var parent: Node?
///     }
///
/// Assignments notify. The deallocation of the object doesn't: from then on the property is nil, and key paths that lead
/// through it lead nowhere. Their observers hear nothing of what lay behind it, and the next change of the key path begins
/// with nil.
///
/// The property takes as much memory as a weak one that isn't observed, and about as much time while its owner isn't
/// observed.
///
/// In a generic class whose superclass is in a library that is built for library evolution, it notifies only if no other
/// property like it has its type.
///
/// > Important: As with any Swift property, you must synchronize each write with other reads and writes of it.
@frozen
@propertyWrapper
public struct ObservedWeak<Object: AnyObject> {
  @usableFromInline
  weak var value: Object?

  /// Creates the property with nil.
  @inlinable
  public init() {}

  /// Creates the property with its initial object, without a notification.
  ///
  /// - Parameter wrappedValue: The object, which isn't retained.
  @inlinable
  public init(wrappedValue: Object?) {
    value = wrappedValue
  }

  /// Unavailable: an `@ObservedWeak` property must belong to a class that inherits from ``KeyValueObject``.
  @available(
    *, unavailable,
    message:
      "@ObservedWeak is for properties of classes that inherit from KeyValueObject, without other property wrappers"
  )
  public var wrappedValue: Object? {
    get { value }
    set { value = newValue }
  }

  // The accessors are those of Observed, which says why they are written like this.

  /// Reads and writes the property of `owner`, and notifies the owner's observers of each write.
  @inlinable
  public static subscript<Owner: KeyValueObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Object?>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Object? {
    @inline(__always)
    get {
      if owner.getterReports, owner.isReadReported {
        let lock = owner.beginTakingAddress()
        let address = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
        if let value = reportedValue(at: address, lock, of: owner, identity: nil, { wrapped }) { return value }
      }
      return owner[keyPath: storage].value
    }
    @inline(__always)
    set {
      // First, and on its own: then the object isn't retained.
      guard owner.setterNotifies else {
        owner[keyPath: storage].value = newValue
        return
      }
      owner.lockStorage()
      let address = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
      if !setLocked(place(address, of: owner), of: owner, to: newValue) { owner[keyPath: storage].value = newValue }
    }
    _modify {
      let mutation =
        owner.setterNotifies || owner.getterReports
        ? owner.willModify(
          owner.lockedStorage, place(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner),
          identity: nil)
        : nil
      defer {
        if mutation != nil || owner.setterNotifies {
          owner.lockStorage()
          owner.didModify(
            place(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner), identity: nil, mutation)
        }
      }
      yield &owner[keyPath: storage].value
    }
  }

  /// The address of the property, given that of its reference during an access to it, which may be that of a copy.
  @inlinable
  @inline(never)
  static func place(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject) -> UnsafeMutableRawPointer {
    if kvo_contains(owner.address, storage) { return UnsafeMutableRawPointer(storage) }
    return owner.addressOfOnlyWeakProperty(Object?.self) ?? UnsafeMutableRawPointer(storage)
  }

  /// Sets a property of an observed object whose lock the caller has taken. Releases the lock, and notifies.
  ///
  /// Observers receive what is stored, which is nil for an object whose `deinit` has begun.
  ///
  /// - Returns: Whether it was set, which isn't possible if the property isn't known.
  @inlinable
  @inline(never)
  static func setLocked(_ place: UnsafeMutableRawPointer, of owner: KeyValueObject, to object: Object?) -> Bool {
    let storage = place.assumingMemoryBound(to: Self.self)
    var latestSequence: UInt64?
    guard let change = owner.beginDirectChange(at: storage, identity: nil, &latestSequence) else {
      return owner.changeInTransaction(at: storage, identity: nil, after: latestSequence) {
        storage.pointee.value = object
      }
    }
    var old = storage.pointee.value
    storage.pointee.value = object
    var new = storage.pointee.value
    withUnsafePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        owner.finish(change, old, new, at: storage, identity: nil)
      }
    }
    return true
  }
}

extension KeyValueObject {
  /// The address of the only `@ObservedWeak` property of a type; nil if there are several.
  @usableFromInline
  final func addressOfOnlyWeakProperty(_ type: Any.Type) -> UnsafeMutableRawPointer? {
    let weak = properties.fields.filter { $0.isWeak && $0.valueType == type }
    return weak.count == 1 ? address(of: weak[0]) : nil
  }
}

// MARK: Properties known only at run time

extension ObservedWeak: ObservedProperty {
  @usableFromInline
  static func field(name: String, offset: Int, index: Int) -> ObservedField {
    ObservedField(
      name: name, offset: offset, index: index, Object?.self,
      weak: { $0.assumingMemoryBound(to: Self.self).pointee.value },
      set: { object, value, notifies in
        // The class has a property of this type at the offset.
        let storage = (object.address + offset).assumingMemoryBound(to: Self.self)
        kvo_check_access(storage, true)
        guard notifies, object.setterNotifies else { return object.store { storage.pointee.value = value } }
        object.lockStorage()
        _ = setLocked(storage, of: object, to: value)
      })
  }
}
