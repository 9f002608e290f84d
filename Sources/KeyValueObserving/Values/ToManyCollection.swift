/// A collection that proxies read and mutate, whatever its type: one of Swift's, or of Foundation's.
///
/// What it gives are objects, never Optionals.
protocol ToManyCollection: ObjectCollection {
  var kind: CollectionKind { get }
  var objectCount: Int { get }

  /// - Complexity: Constant time, if the collection has an order.
  func object(at index: Int) -> Any

  /// The first index at which there is an object equal to `object`; nil if there is none, or no order.
  func index(equalTo object: Any, in range: Range<Int>) -> Int?

  /// What the collection contains that is equal to `object`.
  func element(equalTo object: Any) -> Any?

  /// `object` as an element, for a ``CollectionEdit``; nil if it can't be one.
  func element(convertedFrom object: Any) -> Any?

  /// What all elements are.
  var elementType: Any.Type { get }

  /// A collection of the same type after `edit`.
  func edited(_ edit: CollectionEdit) -> any ToManyCollection
}

/// A Swift collection, which is mutated where it lies.
protocol EditableCollection: ToManyCollection {
  static var empty: Self { get }

  /// - Returns: What the edit took out. The caller lets go of it when the collection is in use no longer, for that may
  ///   run the `deinit` of objects.
  mutating func apply(_ edit: CollectionEdit) -> Any
}

/// What distinguishes the collections that Foundation has.
enum CollectionKind {
  case array
  case orderedSet
  case set
}

extension ToManyCollection {
  var objects: [Any] { allObjects.map(ObjectBridging.object) }
}

extension EditableCollection {
  /// A collection of this type with those elements; nil if one of them can't be.
  static func converted(_ collection: Any) -> Self? {
    guard let collection = collection as? any ObjectCollection else { return nil }
    var converted = empty
    let elements = collection.allObjects.map { converted.element(convertedFrom: $0) }
    guard elements.allSatisfy({ $0 != nil }) else { return nil }
    _ = converted.apply(.assign(elements.compactMap { $0 }))
    return converted
  }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    var collection = self
    _ = collection.apply(edit)
    return collection
  }
}

extension CollectionKind {
  /// The empty collection that a property of type `valueType` may be set to; if that doesn't say, one of this form.
  func emptyCollection(for valueType: Any.Type?) -> any ToManyCollection {
    switch valueType {
    case let optional as any OptionalValue.Type: emptyCollection(for: optional.wrappedType)
    case let storage as any EditableCollection.Type: storage.empty
    case is NSArray.Type: NSMutableArray()
    case is NSOrderedSet.Type: NSMutableOrderedSet()
    case is NSSet.Type: NSMutableSet()
    default:
      switch self {
      case .array: NSMutableArray()
      case .orderedSet: NSMutableOrderedSet()
      case .set: NSMutableSet()
      }
    }
  }
}
