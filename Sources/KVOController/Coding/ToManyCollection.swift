/// A collection that Key-Value Coding reads, and that proxies edit: one of Swift's, or one of Foundation's.
protocol ToManyCollection {
  var kind: CollectionKind { get }
  var objectCount: Int { get }

  /// All elements, in the collection's order if it has one, none of which is an Optional. A nil element is `NSNull`.
  var objects: [Any] { get }

  /// The object at an index, as in ``objects``.
  ///
  /// - Complexity: Constant time, if the collection has an order.
  func object(at index: Int) -> Any

  /// The first index of an object equal to `object`; nil if there is none, or if the collection is a set.
  func index(equalTo object: Any, in range: Range<Int>) -> Int?

  /// The element that is equal to `object`, which isn't an Optional.
  func element(equalTo object: Any) -> Any?

  /// `object` as an element, for a ``CollectionEdit``; nil if it can't be one.
  func element(convertedFrom object: Any) -> Any?

  var elementType: Any.Type { get }

  /// The numbers of objects with which it begins and ends like another collection, as far as that is found out quickly.
  func commonEnds(with other: any ToManyCollection) -> (start: Int, end: Int)

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

enum CollectionKind {
  case array
  case orderedSet
  case set
}

extension ToManyCollection where Self: Sequence {
  var objects: [Any] { map(ObjectBridging.object) }
}

extension ToManyCollection {
  /// The objects at those indexes that are in range; empty for a set.
  ///
  /// - Complexity: Linear in the number of indexes.
  func objects(at indexes: IndexSet) -> [Any] {
    kind == .set ? [] : indexes.filter { $0 < objectCount }.map { object(at: $0) }
  }

  func element(equalTo object: Any) -> Any? {
    index(equalTo: object, in: 0..<objectCount).map { self.object(at: $0) }
  }

  func commonEnds(with other: any ToManyCollection) -> (start: Int, end: Int) { (0, 0) }

  func object(at index: Int) -> Any { objects[index] }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? { nil }
}

extension ToManyCollection where Self: EditableCollection & Collection {
  var objectCount: Int { count }
  var elementType: Any.Type { Element.self }

  func element(convertedFrom object: Any) -> Any? { ObjectBridging.element(object, Element.self) }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    var collection = self
    _ = collection.apply(edit)
    return collection
  }
}

extension CollectionKind {
  /// An empty collection for a property of the type `valueType`, or of this kind if the type is unknown.
  func emptyCollection(for valueType: Any.Type?) -> any ToManyCollection {
    let type = (valueType as? any OptionalValue.Type)?.wrappedType ?? valueType
    if let type = type as? any (ToManyCollection & EditableCollection).Type { return type.empty }
    return switch self {
    case .array: NSMutableArray()
    case .orderedSet: NSMutableOrderedSet()
    case .set: NSMutableSet()
    }
  }
}

extension Array: ToManyCollection, EditableCollection {
  static var empty: [Element] { [] }
  var kind: CollectionKind { .array }

  func object(at index: Int) -> Any { ObjectBridging.object(self[index]) }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? {
    guard let type = Element.self as? any Equatable.Type else {
      return range.first { ObjectBridging.isEqual(self.object(at: $0), object) }
    }
    func search<Equal: Equatable>(_ type: Equal.Type) -> Int? {
      guard let elements = (self as Any) as? [Equal], let element = ObjectBridging.equalElement(object, type) else {
        return nil
      }
      return elements[range].firstIndex(of: element)
    }
    return search(type)
  }

  func commonEnds(with other: any ToManyCollection) -> (start: Int, end: Int) {
    guard let other = other as? Self else { return (0, 0) }
    // The same bytes are the same references and values.
    let (start, end) = withUnsafeBytes { own in other.withUnsafeBytes { lengthsInCommon(own, $0) } }
    return (start / MemoryLayout<Element>.stride, end / MemoryLayout<Element>.stride)
  }

  mutating func apply(_ edit: CollectionEdit) -> Any {
    let new = edit.objects.map { $0 as! Element }
    switch edit.mutation {
    case .ordered(.insertion, let indexes):
      insert(new, at: indexes)
      return ()
    case .ordered(.removal, let indexes):
      let removed = indexes.map { self[$0] }
      remove(at: indexes)
      return removed
    case .ordered(_, let indexes):
      let replaced = indexes.map { self[$0] }
      for (index, element) in zip(indexes, new) { self[index] = element }
      return replaced
    case .setting, .unordered:
      defer { self = new }
      return self
    }
  }

  private mutating func remove(at indexes: IndexSet) {
    let ranges = indexes.rangeView
    if let range = ranges.first, ranges.count == 1 { return removeSubrange(range) }
    var index = -1
    removeAll { _ in
      index += 1
      return indexes.contains(index)
    }
  }

  private mutating func insert(_ elements: [Element], at indexes: IndexSet) {
    let ranges = indexes.rangeView
    if let range = ranges.first, ranges.count == 1 { return insert(contentsOf: elements, at: range.lowerBound) }
    var (kept, inserted) = (makeIterator(), elements.makeIterator())
    self = (0..<count + elements.count).compactMap { indexes.contains($0) ? inserted.next() : kept.next() }
  }
}

extension Set: ToManyCollection, EditableCollection {
  static var empty: Set { [] }
  var kind: CollectionKind { .set }

  func element(equalTo object: Any) -> Any? {
    ObjectBridging.equalElement(object, Element.self).flatMap { firstIndex(of: $0) }.map {
      ObjectBridging.object(self[$0])
    }
  }

  mutating func apply(_ edit: CollectionEdit) -> Any {
    let objects = edit.objects.map { $0 as! Element }
    switch edit.mutation {
    case .unordered(.union, _):
      for object in objects { insert(object) }
      return ()
    case .unordered(.minus, _):
      return objects.compactMap { remove($0) }
    case .unordered, .ordered, .setting:
      defer { self = Set(objects) }
      return self
    }
  }
}

/// nil is edited as the empty collection.
extension Optional: EditableCollection where Wrapped: EditableCollection {
  static var empty: Wrapped? { Wrapped.empty }
  var objectCount: Int { self?.objectCount ?? 0 }

  mutating func apply(_ edit: CollectionEdit) -> Any {
    if self == nil { self = Wrapped.empty }
    return self?.apply(edit) ?? ()
  }
}

// Foundation's collections are edited as copies, so that the values that observers have received never change.

extension ToManyCollection where Self: NSObject {
  var elementType: Any.Type { Any.self }

  func element(convertedFrom object: Any) -> Any? { unwrapped(object) ?? NSNull() }
}

extension NSArray: ToManyCollection {
  var kind: CollectionKind { .array }
  var objectCount: Int { count }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? {
    range.first { ObjectBridging.isEqual(self.object(at: $0), object) }
  }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    let objects = objects.edited(edit).objects
    return self is NSMutableArray ? NSMutableArray(array: objects) : NSArray(array: objects)
  }
}

extension NSOrderedSet: ToManyCollection {
  var kind: CollectionKind { .orderedSet }
  var objectCount: Int { count }
  // On Linux, the elements that a proxy enumerates may be former ones.
  var objects: [Any] { (0..<count).map { ObjectBridging.object(object(at: $0)) } }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? {
    guard contains(object) else { return nil }
    return range.first { ObjectBridging.isEqual(self.object(at: $0), object) }
  }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    let objects = objects.edited(edit).objects
    return self is NSMutableOrderedSet ? NSMutableOrderedSet(array: objects) : NSOrderedSet(array: objects)
  }
}

extension NSSet: ToManyCollection {
  var kind: CollectionKind { .set }
  var objectCount: Int { count }

  func element(equalTo object: Any) -> Any? { member(object).map(ObjectBridging.bridged) }

  func element(convertedFrom object: Any) -> Any? {
    // As the set's enumerator returns it, so that removed objects are equal to those that were inserted.
    ObjectBridging.bridged(unwrapped(object) ?? NSNull())
  }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    // A copy of a counted set has the same counts.
    let set = mutableCopy() as? NSMutableSet ?? NSMutableSet(array: allObjects)
    switch edit.mutation {
    case .unordered(.union, _):
      set.addObjects(from: edit.objects)
    case .unordered(.minus, _):
      for object in edit.objects { set.remove(object) }
    case .unordered, .ordered, .setting:
      set.removeAllObjects()
      set.addObjects(from: edit.objects)
    }
    return self is NSMutableSet ? set : NSSet(array: set.allObjects)
  }
}

/// An edit of a collection by a proxy.
struct CollectionEdit {
  /// The change of which observers are notified.
  let mutation: Mutation
  /// The new objects or, if they are removed from a set, the former ones. They are of the collection's element type already.
  var objects: [Any] = []

  /// The first index that is out of range for a collection of `count` objects; nil if none is.
  func index(beyond count: Int) -> Int? {
    guard case .ordered(let kind, let indexes) = mutation else { return nil }
    guard kind == .insertion else { return indexes.last.flatMap { $0 < count ? nil : $0 } }
    // Each object is inserted at its index after the edit.
    var end = count
    for range in indexes.rangeView {
      if range.lowerBound > end { return range.lowerBound }
      end += range.count
    }
    return nil
  }
}
