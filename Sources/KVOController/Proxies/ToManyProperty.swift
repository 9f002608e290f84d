/// The property of which a proxy is a view. It is read once for each call, and each edit sends one notification.
///
/// An ``Observed`` Swift collection is edited in place. If the class lists it in `keyPaths`, a copy is edited and set with the
/// property's setter, so that its `didSet` runs. Any other value (one of Foundation's collections, or the value
/// for a key in `keyPaths` or for one that only `value(forKey:)` knows) is edited as a copy, which is then set.
struct ToManyProperty {
  let object: KeyValueObject
  let key: String
  /// The kind of the proxy.
  let kind: CollectionKind
  /// The field of an `@Observed` property, if no other key path is listed under its name in `keyPaths`.
  private let field: ObservedField?
  private let valueType: Any.Type?
  /// The assignment by the setter of a listed property, if it has one.
  private let listedAssignment: (@Sendable (Any?) -> Assignment)?

  init(_ object: KeyValueObject, _ key: String, _ kind: CollectionKind) {
    let listed = object.properties.listed[key]
    let field = object.properties.field(key)
    self.object = object
    self.key = key
    self.kind = kind
    self.field = field.flatMap { listed?.isProperty($0, of: object) != false ? $0 : nil }
    valueType = listed?.valueType ?? field?.valueType
    listedAssignment = listed?.assignment
  }

  /// The current value of the property.
  ///
  /// If it is retained while the property is edited, the property has to copy its elements.
  var collection: any ToManyCollection {
    if field != nil { object.reportRead(ofKey: key) }
    let collection = currentCollection
    guard (kind == .set) == (collection.kind == .set) else { refuse(collection) }
    return collection
  }

  private var currentCollection: any ToManyCollection {
    let value = if let field { object.value(of: field) } else { object.value(forKey: key).flatMap(unwrapped) }
    // A cast to an object would bridge a collection of Swift's.
    guard let value, type(of: value) != NSNull.self else { return kind.emptyCollection(for: valueType) }
    guard let collection = value as? any ToManyCollection else { refuse(value) }
    return swiftCollection(collection) ?? collection
  }

  /// The collection as one of Swift's, if the property has such a type. Key-Value Coding may return one of
  /// Foundation's.
  private func swiftCollection(_ collection: any ToManyCollection) -> (any ToManyCollection)? {
    let type = (valueType as? any OptionalValue.Type)?.wrappedType ?? valueType
    guard let type = type as? any (ToManyCollection & EditableCollection).Type, Swift.type(of: collection) != type
    else {
      return nil
    }
    func converted<Collection: ToManyCollection>(_ type: Collection.Type) -> (any ToManyCollection)? {
      try? ValueConverter.convert(collection, to: type)
    }
    return converted(type)
  }

  /// Makes the change that `mutation` returns, and notifies observers.
  ///
  /// - Returns: The edit of the collection; nil if there is no change.
  @discardableResult
  func change(_ mutation: (OrderedMutations) -> CollectionChange?) -> CollectionEdit? {
    // The collection that the mutation has read is released first, because it would be copied otherwise.
    let change = mutation(OrderedMutations(self))
    if let change { make(change) }
    return change?.edit
  }

  func change(_ mutation: (SetMutations) -> CollectionChange) {
    let change = mutation(SetMutations(self))
    make(change)
  }

  private func make(_ change: CollectionChange) {
    let edit = change.edit
    if let field, let listedAssignment, case .ready(let assign) = listedAssignment(collection(after: edit)) {
      _ = ThreadFrame.run(.assigning(object.address(of: field), change.mutation)) { assign(object) }
    } else if let field {
      object.change(key, change.mutation, isSetter: false) {
        if !field.edit(edit, of: object, { requireIndexes(of: edit, count: $0) }) {
          store(collection(after: edit), field)
        }
      }
    } else {
      object.change(key, change.mutation, isSetter: true) {
        object.setValue(collection(after: edit), forKey: key)
      }
    }
  }

  private func collection(after edit: CollectionEdit) -> any ToManyCollection {
    let collection = collection
    requireIndexes(of: edit, count: collection.objectCount)
    return collection.edited(edit)
  }

  private func store(_ collection: any ToManyCollection, _ field: ObservedField) {
    guard case .ready(let assign) = field.assignment(of: collection, notifies: false) else {
      return object.setValue(collection, forKey: key)
    }
    assign(object)
  }

  /// `objects` as elements of a collection that is the value of the property.
  func elements(_ objects: [Any], of collection: any ToManyCollection) -> [Any] {
    objects.map { object in
      guard let element = collection.element(convertedFrom: object) else {
        misuse(
          "Cannot put an object into \(subject)",
          because: "it must be of type \(collection.elementType), but is of type \(type(of: object))",
          remedy: "Convert the object first. It is \(RefusedValue(object, collection.elementType).text).")
      }
      return element
    }
  }
}

extension DeclaredKeyPath {
  /// Whether this is the key path of an `@Observed` property itself, which a class can list too.
  fileprivate func isProperty(_ field: ObservedField, of object: KeyValueObject) -> Bool {
    // Reading the property makes its key path known.
    if field.property == nil { ReadTracker.track({ _, _ in }, { _ = value(object) }) }
    guard let identity = field.identity else { return false }
    return component?.identity == identity && !field.isOverridden(in: type(of: object))
  }
}

/// A change of a collection by a proxy.
struct CollectionChange {
  /// The change of which observers are notified.
  let mutation: Mutation
  let edit: CollectionEdit
}

// MARK: Misuse

extension ToManyProperty {
  /// The name of the property in messages.
  var subject: String { "the value for the key \"\(key)\" of <\(debugName(of: object))>" }

  func refuse(_ index: Int, count: Int) -> Never {
    misuse(
      "Cannot access the index \(index) of \(subject)", because: "there are \(count) objects",
      remedy: "Check the count first.")
  }

  /// Traps if an observer's `.prior` call has changed the property so that the edit is out of range.
  private func requireIndexes(of edit: CollectionEdit, count: Int) {
    guard let index = edit.index(beyond: count) else { return }
    misuse(
      "Cannot access the index \(index) of \(subject)",
      because: "an observer has changed it in its .prior call, and there are \(count) objects now",
      remedy: "Don't change the property in a .prior call.")
  }

  private func refuse(_ value: Any) -> Never {
    let (method, forms) =
      switch kind {
      case .array: ("mutableArrayValue(forKey:)", "an array or an ordered set")
      case .orderedSet: ("mutableOrderedSetValue(forKey:)", "an ordered set or an array")
      case .set: ("mutableSetValue(forKey:)", "a set")
      }
    misuse(
      "Cannot return \(subject) by \(method)", because: "it must be \(forms), but is of type \(type(of: value))",
      remedy: "Call the method for its type.")
  }
}

/// The part with which a proxy was created, which only the package's own initializer sets. Apple's initializers can't be
/// overridden, so it has to be set after them.
func made<Part>(_ part: Part?) -> Part {
  guard let part else { refuseCreation() }
  return part
}

/// Traps because a proxy is created with an initializer of Foundation's collections.
func refuseCreation() -> Never {
  misuse(
    "Cannot create a mutable view of a to-many property", because: "only KeyValueObject creates them",
    remedy: "Create one of Foundation's collections, or call mutableArrayValue(forKey:) or its counterparts.")
}

extension NSSet {
  func containsAll(_ objects: [Any]) -> Bool { objects.allSatisfy { contains($0) } }
}

extension ComparisonResult {
  /// The result for the number that a comparison function returns.
  init(_ number: Int) {
    self = number < 0 ? .orderedAscending : number > 0 ? .orderedDescending : .orderedSame
  }
}

extension [NSSortDescriptor] {
  /// The order of two objects, by the first descriptor that distinguishes them.
  func compare(_ left: Any, _ right: Any) -> ComparisonResult {
    lazy.map { $0.compare(left, to: right) }.first { $0 != .orderedSame } ?? .orderedSame
  }
}
