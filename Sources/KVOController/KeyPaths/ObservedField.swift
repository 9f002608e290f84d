/// An ``Observed`` or ``ObservedWeak`` property of a class: where it is stored, and how its value is read and set.
///
/// The property's address is that of an object that the caller retains, plus the field's offset, where the class has an
/// `Observed` of exactly this type. So it can be read as one, or as the value, which is the only thing that it stores. The
/// storage of a weak property is a weak reference instead, which is read to get a value.
///
/// A field is created once for the class that declares it, and never deallocated; subclasses share it.
@usableFromInline
final class ObservedField: Sendable {
  let name: String
  let offset: Int
  /// The field's position among those of the class and its superclasses.
  let index: Int
  let valueType: Any.Type
  /// The value's type; nil if a value that is there may yet be an Optional.
  @usableFromInline let exactType: Any.Type?
  /// The Optional of the value's type, which a path through an Optional ends in.
  @usableFromInline let optionalType: Any.Type
  /// Copies the value at an address to one that isn't initialized.
  @usableFromInline let copyValue: @Sendable (_ value: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer) -> Void
  /// Whether the value has no size, so that the property may share its address with another.
  let isZeroSized: Bool
  /// Whether the value is an object that can be observed, or an Optional of one.
  let isObject: Bool
  let isWeak: Bool
  /// Reads a value of the property's type at an address; nil for nil.
  let read: @Sendable (_ address: UnsafeRawPointer) -> Any?
  /// Reads the value of the property from its storage in an object; nil for nil.
  let readStorage: @Sendable (_ storage: UnsafeRawPointer) -> Any?
  private let assign: @Sendable (Any?, _ notifies: Bool) -> Assignment
  /// Set if the value is one of Swift's collections, or an Optional of one.
  private let editInPlace: Editor?
  private let knownProperty = LockedState<OpenedKeyPath?>(nil)

  /// - Parameters:
  ///   - weak: Reads the value from the storage of a weak property.
  ///   - set: Sets the property of an object.
  ///   - exchange: Sets the property without a notification, and returns its former value; nil if it's no collection.
  init<Value>(
    name: String, offset: Int, index: Int, _ type: Value.Type, weak: (@Sendable (UnsafeRawPointer) -> Value)? = nil,
    set: @escaping @Sendable (KeyValueObject, Value, _ notifies: Bool) -> Void,
    exchange: (@Sendable (KeyValueObject, Value) -> Value)? = nil
  ) {
    self.name = name
    self.offset = offset
    self.index = index
    let optional = Value.self as? any OptionalValue.Type
    valueType = Value.self
    isZeroSized = MemoryLayout<Value>.size == 0
    let type = optional?.wrappedType ?? Value.self
    isObject = type is KeyValueObject.Type
    // A value that isn't nil may contain a nested Optional, which is unwrapped for readers.
    let mayHideNil = type == Any.self || type is any OptionalValue.Type
    exactType = mayHideNil ? nil : Value.self
    optionalType = Value?.self
    copyValue = { value, copy in
      copy.assumingMemoryBound(to: Value.self).initialize(to: value.assumingMemoryBound(to: Value.self).pointee)
    }
    let load: @Sendable (UnsafeRawPointer) -> Any?
    if let optional { load = optional.reader } else { load = { $0.assumingMemoryBound(to: Value.self).pointee } }
    if mayHideNil { read = { load($0).flatMap(unwrapped) } } else { read = load }
    isWeak = weak != nil
    if let weak { readStorage = { unwrapped(weak($0)) } } else { readStorage = read }
    assign = { value, notifies in Assignment(value) { object, value in set(object, value, notifies) } }
    editInPlace = exchange.flatMap { exchange in (Value.self as? any EditableCollection.Type)?.editor(exchange) }
  }

  func assignment(of value: Any?, notifies: Bool = true) -> Assignment {
    assign(value, notifies)
  }

  // MARK: The property's own key path

  /// The property's own key path, from the class that declares it, once its getter has reported it. It can't be found
  /// by the property's name. From then on the property is recognized in every key path that leads through it.
  var property: OpenedKeyPath? { knownProperty.withLock { $0 } }

  var identity: PropertyIdentity? { property?.component?.identity }

  /// Records the property's own key path, unless it is known.
  func learn(_ property: () -> AnyKeyPath) {
    // Asked without the lock, for each read that is followed.
    guard knownProperty.sharedNumber == 0, let declared = OpenedKeyPath.of(property()) else { return }
    knownProperty.withLock { $0 = $0 ?? declared }
    knownProperty.sharedNumber = 1
  }

  // MARK: Collections

  /// Edits a property of an object, and returns what the caller has to release.
  fileprivate typealias Editor = @Sendable (KeyValueObject, CollectionEdit, _ requireCount: (Int) -> Void) -> Any

  /// Edits the Swift collection that is the value of the property of `object`, in place and without a notification.
  /// Returns whether it is one. This may run `hash(into:)` and `==` of elements, for which the property is empty. The
  /// `deinit` of removed elements runs afterwards.
  ///
  /// - Parameter requireCount: Called with the number of elements before the edit. Traps if the edit needs others.
  func edit(_ edit: CollectionEdit, of object: KeyValueObject, _ requireCount: (Int) -> Void) -> Bool {
    let removed = editInPlace?(object, edit, requireCount)
    return withExtendedLifetime(removed) { removed != nil }
  }
}

extension EditableCollection {
  /// - Parameter exchange: Sets the property, whose value is of this type, and returns its former value.
  fileprivate static func editor<Value>(
    _ exchange: @escaping @Sendable (KeyValueObject, Value) -> Value
  ) -> ObservedField.Editor? {
    guard let exchange = exchange as? @Sendable (KeyValueObject, Self) -> Self else { return nil }
    return InPlaceEditor(exchange: exchange).edit
  }
}

private struct InPlaceEditor<Value: EditableCollection>: Sendable {
  let exchange: @Sendable (KeyValueObject, Value) -> Value

  /// The collection is moved out of the property while it is edited, because elements may read the property meanwhile.
  func edit(_ object: KeyValueObject, _ edit: CollectionEdit, _ requireCount: (Int) -> Void) -> Any {
    var collection = exchange(object, Value.empty)
    requireCount(collection.objectCount)
    let removed = collection.apply(edit)
    return (removed, exchange(object, collection))
  }
}

/// A value for Key-Value Coding to set, converted to the property's type, or the reason why it can't be set.
enum Assignment {
  case ready((KeyValueObject) -> Void)
  case nilForNonOptional
  case refused(RefusedValue, expected: Any.Type)
  case readOnly

  /// Converts `value` to a `Value`, to be set by `set`. nil becomes the nil of an Optional.
  init<Value>(_ value: Any?, _ set: @escaping (KeyValueObject, Value) -> Void) {
    if let value, let exact: Value = exactly(value) {
      self = .ready { set($0, exact) }
    } else if let value = value.flatMap(unwrapped) {
      do {
        let converted = try ValueConverter.convert(value, to: Value.self)
        self = .ready { set($0, converted) }
      } catch {
        self = .refused(error as? RefusedValue ?? RefusedValue(value, Value.self), expected: Value.self)
      }
    } else if let optional = Value.self as? any OptionalValue.Type, let null = optional.null as? Value {
      self = .ready { set($0, null) }
    } else {
      self = .nilForNonOptional
    }
  }
}

/// The type of the storage of an observed property.
@usableFromInline
protocol ObservedProperty {
  associatedtype Value
  var value: Value { get }
  static func field(name: String, offset: Int, index: Int) -> ObservedField
}
