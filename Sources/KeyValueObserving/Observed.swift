/// A property of a ``KeyValueObject`` that takes part in Key-Value Coding and Key-Value Observing under its own name.
///
/// It is the portable counterpart of `@objc dynamic`:
///
///     final class Clock: KeyValueObject {
///       @Observed var date = Date()
///     }
///
/// Every assignment notifies the observers of `"date"`, even if the value is equal. Each in-place mutation
/// (`model.items.append(1)`) is one change with the whole old and new values. The wrapper stores only the value, so an
/// `@Observed` property takes as much memory as a plain one, and about as much time while the object isn't observed.
///
/// > Important: As with any Swift property, you must synchronize concurrent writes of one property.
@frozen
@propertyWrapper
public struct Observed<Value> {
  @usableFromInline
  var value: Value

  /// Creates the property with its initial value, without a notification.
  ///
  /// - Parameter wrappedValue: The initial value.
  @inlinable
  public init(wrappedValue: Value) {
    value = wrappedValue
  }

  /// Unavailable: an `@Observed` property must belong to a class that inherits from ``KeyValueObject``.
  @available(
    *, unavailable,
    message: "@Observed is for properties of classes that inherit from KeyValueObject, without other property wrappers"
  )
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  // The engine gets the address of the storage instead of the key paths, which the optimizer removes only where it sees
  // how they are used. It is the address of a stored property of `owner`, so it is valid as long as `owner` is
  // retained, which the caller of an accessor does.
  //
  // The accessors are inlined everywhere: otherwise the optimizer calls them with key paths that have to be allocated
  // first, which takes a hundred times as long as a plain set.

  /// Reads and writes the property of `owner`, and notifies the owner's observers of each write.
  ///
  /// - Parameters:
  ///   - owner: The object that has the property.
  ///   - wrapped: The key path of the property.
  ///   - storage: The key path of the property's storage.
  @inlinable
  public static subscript<Owner: KeyValueObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inline(__always)
    get {
      guard _slowPath(owner.isTrackedOrObservable) else { return owner[keyPath: storage].value }
      let isTracked = owner.isReadTracked()
      guard isTracked || owner.isTracked else { return owner[keyPath: storage].value }
      let read = willRead(of: owner, isTracked, { wrapped }, storage: { storage })
      let value = owner[keyPath: storage].value
      if let read { ReadTracker.didRead(value, read) }
      return value
    }
    @inline(__always)
    set {
      guard _slowPath(owner.isObservedOrTracked) else {
        owner[keyPath: storage].value = newValue
        return
      }
      Self.replace(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, of: owner, with: newValue)
    }
    _modify {
      let notifies = _slowPath(owner.isObservedOrObservable)
      if notifies {
        reportRead(of: owner, { wrapped }, storage: { storage })
      }
      let change =
        notifies
        ? owner.willModify(withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, identity: identity) : nil
      defer {
        if _slowPath(owner.mustEndMutation(change)) {
          owner.didModify(
            withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }, identity: identity, change)
        }
      }
      // Yields the access itself, not a pointer from an access that has ended, so that Swift checks for exclusive
      // access.
      yield &owner[keyPath: storage].value
    }
  }

  /// Reports a read of the property, which is about to happen, to Observation and to the active read tracker.
  ///
  /// Each closure captures only a key path, and is used in one call of an accessor. So the optimizer creates the key
  /// paths inside the closures, and accessors that aren't tracked create none.
  ///
  /// - Parameters:
  ///   - isTracked: Whether to report the read to Observation.
  ///   - property: The property's own key path.
  ///   - storage: The key path of the property's storage.
  @inlinable
  @inline(never)
  static func willRead<Owner: KeyValueObject>(
    of owner: Owner, _ isTracked: Bool, _ property: () -> AnyKeyPath,
    storage: () -> ReferenceWritableKeyPath<Owner, Self>
  ) -> ReadTracker.PendingRead? {
    if isTracked { KeyValueObject.reportRead(of: owner, property, storage: storage) }
    return owner.isTracked ? ReadTracker.willRead(of: owner, property, storage: storage) : nil
  }

  /// Reports to Observation the read with which an in-place mutation begins.
  @inlinable
  @inline(never)
  static func reportRead<Owner: KeyValueObject>(
    of owner: Owner, _ property: () -> AnyKeyPath, storage: () -> ReferenceWritableKeyPath<Owner, Self>
  ) {
    if owner.isReadTracked() { KeyValueObject.reportRead(of: owner, property, storage: storage) }
  }

  /// The offset of the property in `owner`.
  ///
  /// The key path of the storage contains it. Only where the components of key paths are unknown it's computed from the
  /// address of the property, because taking that counts as a write.
  @usableFromInline
  static func offset<Owner: KeyValueObject>(
    of storage: ReferenceWritableKeyPath<Owner, Self>, in owner: Owner
  ) -> Int {
    if let components = KeyPathComponents(storage), components.count == 1,
      case .classField(let offset, _) = components[0].kind
    {
      return offset
    }
    return withUnsafeMutablePointer(to: &owner[keyPath: storage]) {
      UnsafeRawPointer($0) - UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
    }
  }

  /// Replaces the value without a notification. Every property that may be observed is replaced this way.
  ///
  /// - Returns: The former value, which the caller releases, because its `deinit` may use the property.
  static func store(_ value: Value, at storage: UnsafeMutablePointer<Self>, of owner: KeyValueObject) -> Self {
    store(value, at: storage, in: owner.beginStoring(at: storage, identity: identity))
  }

  /// Replaces the value, and ends the section.
  ///
  /// - Returns: The former value.
  @usableFromInline
  static func store(_ value: Value, at storage: UnsafeMutablePointer<Self>, in section: StoringSection) -> Self {
    if MemoryLayout<Value>.size > 0 { ExclusiveAccess.modify(storage) }
    var former = Self(wrappedValue: value)
    swap(&storage.pointee, &former)
    section.end()
    return former
  }

  /// The type of a value without size, which distinguishes the property from the next one at the same address;
  /// otherwise nil.
  @inlinable
  static var identity: Any.Type? { MemoryLayout<Value>.size == 0 ? Value.self : nil }
}
