/// A collection that Key-Value Coding reads, and that proxies edit: one of Swift's, or one of Foundation's.
protocol ToManyCollection {
  var kind: CollectionKind { get }
  var objectCount: Int { get }

  /// All elements, in the collection's order if it has one. They may be Optionals.
  var allObjects: [Any] { get }

  /// The object at an index, which isn't an Optional. A nil element is `NSNull`.
  ///
  /// - Complexity: Constant time, if the collection has an order.
  func object(at index: Int) -> Any

  /// The first index of an object equal to `object`; nil if there is none, or if the collection is a set.
  func index(equalTo object: Any, in range: Range<Int>) -> Int?

  /// The element that is equal to `object`, which isn't an Optional.
  func element(equalTo object: Any) -> Any?

  /// `object` as an element, for a ``CollectionEdit``; nil if it can't be one.
  func element(convertedFrom object: Any) -> Any?

  /// The type of the elements.
  var elementType: Any.Type { get }

  /// A collection of the same type after `edit`.
  func edited(_ edit: CollectionEdit) -> any ToManyCollection
}

/// A Swift collection, or an Optional of one, which is edited in place.
protocol EditableCollection {
  static var empty: Self { get }
  var objectCount: Int { get }

  /// - Returns: The removed elements. The caller releases them when it doesn't access the collection any longer,
  ///   because that may run the `deinit` of objects.
  mutating func apply(_ edit: CollectionEdit) -> Any
}

/// The kinds of Foundation's collections.
enum CollectionKind {
  case array
  case orderedSet
  case set
}

extension ToManyCollection {
  /// All elements, none of which is an Optional.
  var objects: [Any] { allObjects.map(ObjectBridging.object) }

  /// The objects at those indexes that are in range; empty for a set.
  ///
  /// - Complexity: Linear in the number of indexes.
  func objects(at indexes: IndexSet) -> [Any] {
    kind == .set ? [] : indexes.filter { $0 < objectCount }.map { object(at: $0) }
  }

  func element(equalTo object: Any) -> Any? {
    index(equalTo: object, in: 0..<objectCount).map { self.object(at: $0) }
  }
}

extension ToManyCollection where Self: EditableCollection {
  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    var collection = self
    _ = collection.apply(edit)
    return collection
  }
}

extension CollectionKind {
  /// An empty collection for a property of the type `valueType`, or of this kind if the type is unknown.
  func emptyCollection(for valueType: Any.Type?) -> any ToManyCollection {
    switch valueType {
    case let optional as any OptionalValue.Type: emptyCollection(for: optional.wrappedType)
    case let collection as any (ToManyCollection & EditableCollection).Type: collection.empty
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
