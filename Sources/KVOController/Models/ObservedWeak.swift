import CKeyValueObserving

/// A weak reference of a ``KeyValueObject`` that takes part in Key-Value Coding and Key-Value Observing like an
/// ``Observed`` property.
///
///     final class Node: KeyValueObject {
///       @Observed var children: [Node] = []
///       @ObservedWeak var parent: Node?
///     }
///
/// Assignments notify. The deallocation of the object doesn't: from then on the property is nil, and key paths that
/// lead through it have no value, which is also the old value of their next change. The property takes as much memory
/// as a plain weak one, and about as much time while its owner isn't observed.
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

  /// Creates the property with its initial object, which isn't retained, without a notification.
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
        kvo_sanitizer_begin_ignoring_writes()
        let address = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
        if let value = reportedValue(at: address, of: owner, { wrapped }) { return value }
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
      kvo_sanitizer_begin_ignoring_writes()
      let address = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
      if !set(address, of: owner, to: newValue) { owner[keyPath: storage].value = newValue }
    }
    _modify {
      var mutation: InPlaceMutation?
      if owner.setterNotifies || owner.getterReports {
        kvo_sanitizer_begin_ignoring_writes()
        mutation = owner.willModify(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 })
      }
      defer {
        if mutation != nil || owner.setterNotifies {
          kvo_sanitizer_begin_ignoring_writes()
          owner.didModify(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, mutation)
        }
      }
      yield &owner[keyPath: storage].value
    }
  }

  /// Sets a property of an observed object, and notifies, as ``Observed`` does.
  ///
  /// Observers receive what is stored, which is nil for an object whose `deinit` has begun.
  @inlinable
  @inline(never)
  static func set(_ storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject, to object: Object?) -> Bool {
    var (old, new): (Object?, Object?) = (nil, nil)
    return withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        owner.set(at: storage, old, new) {
          old.pointee = storage.pointee.value
          storage.pointee.value = object
          new.pointee = storage.pointee.value
        }
      }
    }
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
        kvo_sanitizer_begin_ignoring_writes()
        _ = set(storage, of: object, to: value)
      })
  }
}
