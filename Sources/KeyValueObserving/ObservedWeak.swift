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
/// > Important: As with any Swift property, you must synchronize each write with other reads and writes of it.
@frozen
@propertyWrapper
public struct ObservedWeak<Object: AnyObject> {
  @usableFromInline
  weak var object: Object?

  /// Creates the property with nil.
  @inlinable
  public init() {}

  /// Creates the property with its initial object, without a notification.
  ///
  /// - Parameter wrappedValue: The object, which isn't retained.
  @inlinable
  public init(wrappedValue: Object?) {
    object = wrappedValue
  }

  /// Unavailable: an `@ObservedWeak` property must belong to a class that inherits from ``KeyValueObject``.
  @available(
    *, unavailable,
    message:
      "@ObservedWeak is for properties of classes that inherit from KeyValueObject, without other property wrappers"
  )
  public var wrappedValue: Object? {
    get { object }
    set { object = newValue }
  }

  // The accessors are those of Observed, which says why they are written like this.

  /// Reads and writes the property of `owner`, and notifies the owner's observers of each write.
  ///
  /// - Parameters:
  ///   - owner: The object that has the property.
  ///   - wrapped: The key path of the property.
  ///   - storage: The key path of the property's storage.
  @inlinable
  public static subscript<Owner: KeyValueObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Object?>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Object? {
    @inline(__always)
    get {
      guard owner.getterReports, owner.isReadReported else { return owner[keyPath: storage].object }
      kvo_sanitizer_begin_ignoring_writes()
      let address = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
      kvo_sanitizer_end_ignoring_writes()
      return reportedObject(at: address, of: owner) { wrapped }
    }
    @inline(__always)
    set {
      guard owner.setterNotifies else {
        owner[keyPath: storage].object = newValue
        return
      }
      owner.lockStorage()
      setLocked(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner, to: newValue)
    }
    _modify {
      let mutation =
        owner.setterNotifies || owner.getterReports
        ? owner.willModify(
          owner.lockedStorage, withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, identity: nil)
        : nil
      defer {
        if mutation != nil || owner.setterNotifies {
          owner.lockStorage()
          owner.didModify(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, identity: nil, mutation)
        }
      }
      yield &owner[keyPath: storage].object
    }
  }

  /// Reports a read of the property at an address, and reads it.
  ///
  /// - Parameter property: Returns the property's own key path.
  @inlinable
  @inline(never)
  static func reportedObject(
    at storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, _ property: () -> AnyKeyPath
  ) -> Object? {
    owner.reportRead(at: storage, identity: nil, property)
    let lock = owner.lockedStorage
    defer { owner.unlockStorage(lock) }
    return storage.pointee.object
  }

  /// Sets a property of an observed object whose lock the caller has taken. Releases the lock, and notifies.
  ///
  /// Observers receive what is stored, which is nil for an object whose `deinit` has begun.
  @inlinable
  @inline(never)
  static func setLocked(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, to object: Object?) {
    guard let change = owner.beginDirectChange(at: storage, identity: nil) else {
      return owner.changeInTransaction(at: storage, identity: nil) { storage.pointee.object = object }
    }
    var old = storage.pointee.object
    storage.pointee.object = object
    var new = storage.pointee.object
    withUnsafePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        owner.finish(change, old, new, at: storage, identity: nil)
      }
    }
  }
}

// MARK: Properties known only at run time

extension ObservedWeak: ObservedProperty {
  static func field(name: String, offset: Int, index: Int) -> ObservedField {
    ObservedField(
      name: name, offset: offset, index: index, Object?.self,
      weak: { $0.assumingMemoryBound(to: Self.self).pointee.object },
      set: { object, value, notifies in
        // The class has a property of this type at the offset.
        let storage = (object.address + offset).assumingMemoryBound(to: Self.self)
        kvo_check_access(storage, true)
        guard notifies, object.setterNotifies else { return object.store { storage.pointee.object = value } }
        object.lockStorage()
        setLocked(storage, of: object, to: value)
      })
  }
}
