/// A to-many property as a mutable array: see ``KeyValueObject/mutableArrayValue(forKey:)``.
///
/// Overridden are the methods that Foundation doesn't compose of overridden ones, on any platform, and those that have to
/// send one notification.
final class KeyValueMutableArray: NSMutableArray, CollectionView {
  private var source: ToManyProperty?
  private var property: ToManyProperty { source! }
  /// Whether the collection contains an object, as an ordered set finds out faster; nil if that doesn't know.
  var finder: ((Any, any ToManyCollection) -> Bool?)?

  // Apple's designated initializers can't be overridden, so the property is set after them.
  convenience init(_ property: ToManyProperty) {
    self.init()
    source = property
  }

  // MARK: Reading

  var collection: any ToManyCollection { property.collection }
  var objects: [Any] { collection.objects }

  override var count: Int { collection.objectCount }

  override func object(at index: Int) -> Any {
    let collection = collection
    property.require(NSRange(location: index, length: 1), count: collection.objectCount)
    return collection.object(at: index)
  }

  override func index(of object: Any) -> Int {
    let collection = collection
    return collection.index(equalTo: object, in: 0..<collection.objectCount) ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }

  override func isEqual(to other: [Any]) -> Bool { objects.elementsEqual(other, by: ObjectBridging.isEqual) }

  override func subarray(with range: NSRange) -> [Any] {
    let objects = objects
    property.require(range, count: objects.count)
    return Array(objects[range.location..<range.location + range.length])
  }

  // MARK: Inserting

  override func add(_ object: Any) { addObjects(from: [object]) }

  override func addObjects(from objects: [Any]) {
    replaceObjects(in: NSRange(location: count, length: 0), withObjectsFrom: objects)
  }

  override func insert(_ object: Any, at index: Int) {
    replaceObjects(in: NSRange(location: index, length: 0), withObjectsFrom: [object])
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) { change(.insertion, indexes, objects) }

  // MARK: Removing

  override func removeObject(at index: Int) { removeObjects(in: NSRange(location: index, length: 1)) }

  override func removeObjects(in range: NSRange) { replaceObjects(in: range, withObjectsFrom: []) }

  override func removeObjects(at indexes: IndexSet) { change(.removal, indexes) }

  override func removeLastObject() { if count > 0 { removeObject(at: count - 1) } }

  override func removeAllObjects() { removeObjects(in: NSRange(location: 0, length: count)) }

  override func remove(_ object: Any) { removeObjects(in: [object]) }

  override func remove(_ object: Any, in range: NSRange) {
    removeObjects(at: indexes(equalToAnyOf: [object]).intersection(indexes(in: range)))
  }

  override func removeObject(identicalTo object: Any) {
    removeObject(identicalTo: object, in: NSRange(location: 0, length: count))
  }

  override func removeObject(identicalTo object: Any, in range: NSRange) {
    let objects = objects
    removeObjects(at: indexes(in: range).filteredIndexSet { ObjectBridging.areIdentical(objects[$0], object) })
  }

  override func removeObjects(in objects: [Any]) { removeObjects(at: indexes(equalToAnyOf: objects)) }

  func keepObjects(in objects: [Any]) {
    removeObjects(at: IndexSet(integersIn: 0..<count).subtracting(indexes(equalToAnyOf: objects)))
  }

  private func indexes(in range: NSRange) -> IndexSet {
    property.require(range, count: count)
    return IndexSet(integersIn: range.location..<range.location + range.length)
  }

  /// Whether to look for objects by their hashes. Looking for one takes less time than hashing all, and some have none.
  private static func areHashed(_ objects: [Any]) -> Bool {
    objects.count > 1 && objects.allSatisfy { $0 is any Hashable }
  }

  private func indexes(equalToAnyOf objects: [Any]) -> IndexSet {
    let collection = collection
    let all = 0..<collection.objectCount
    if Self.areHashed(objects) {
      let identities = Set(objects.map(ObjectBridging.identity))
      return IndexSet(all.filter { identities.contains(ObjectBridging.identity(of: collection.object(at: $0))) })
    }
    var indexes = IndexSet()
    for object in objects {
      var start = 0
      while let index = collection.index(equalTo: object, in: start..<all.upperBound) {
        indexes.insert(index)
        start = index + 1
      }
    }
    return indexes
  }

  // MARK: Replacing

  override func replaceObject(at index: Int, with object: Any) {
    replaceObjects(in: NSRange(location: index, length: 1), withObjectsFrom: [object])
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) { change(.replacement, indexes, objects) }

  override func replaceObjects(in range: NSRange, withObjectsFrom objects: [Any]) {
    let indexes = indexes(in: range)
    if objects.count == range.length {
      change(.replacement, indexes, objects)
    } else if objects.isEmpty {
      change(.removal, indexes)
    } else if range.length == 0 {
      change(.insertion, IndexSet(integersIn: range.location..<range.location + objects.count), objects)
    } else {
      var all = self.objects
      all.replaceSubrange(range.location..<range.location + range.length, with: objects)
      setArray(all)
    }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    // A set of indexes can't contain every number.
    for index in [first, second] { property.require(NSRange(location: index, length: 1), count: count) }
    let indexes: IndexSet = [first, second]
    replaceObjects(at: indexes, with: indexes.reversed().map { object(at: $0) })
  }

  override func setArray(_ objects: [Any]) {
    property.edit { collection in
      let elements = property.elements(objects, of: collection)
      let isUnique = property.isUnique(collection)
      return CollectionEdit(mutation: .setting, objects: isUnique ? DistinctValues(elements).array : elements)
    }
  }

  override func sort(using descriptors: [NSSortDescriptor]) {
    setArray(NSArray(array: objects).sortedArray(using: descriptors))
  }

  /// Changes the property, and sends one notification; none if no index is affected.
  private func change(_ kind: NSKeyValueChange, _ indexes: IndexSet, _ objects: [Any] = []) {
    if kind != .removal { property.requireCount(of: objects, indexes.count) }
    property.edit { collection in
      var (indexes, elements) = (indexes, property.elements(objects, of: collection))
      property.require(CollectionEdit(mutation: .ordered(kind, indexes)), count: collection.objectCount)
      if property.isUnique(collection), kind != .removal {
        (indexes, elements) = unique(kind, indexes, elements, collection)
      }
      return indexes.isEmpty ? nil : CollectionEdit(mutation: .ordered(kind, indexes), objects: elements)
    }
  }

  /// The change of a collection that contains each object once: without insertions of objects that it contains, each of the
  /// others at its index or at the end; and without replacements if they would put an object in twice.
  private func unique(
    _ kind: NSKeyValueChange, _ indexes: IndexSet, _ elements: [Any], _ collection: any ToManyCollection
  ) -> (IndexSet, [Any]) {
    if kind == .replacement {
      var identities = collection.objects.map(ObjectBridging.identity)
      for (index, element) in zip(indexes, elements) { identities[index] = ObjectBridging.identity(of: element) }
      return Set(identities).count == identities.count ? (indexes, elements) : ([], [])
    }
    var (left, leftIndexes) = ([Any](), IndexSet())
    let areHashed = Self.areHashed(elements)
    var seen = areHashed ? Set(collection.objects.map(ObjectBridging.identity)) : []
    func isThere(_ element: Any) -> Bool {
      if areHashed { return !seen.insert(ObjectBridging.identity(of: element)).inserted }
      if left.contains(where: { ObjectBridging.isEqual($0, element) }) { return true }
      let object = ObjectBridging.object(element)
      return finder?(object, collection) ?? (collection.element(equalTo: object) != nil)
    }
    for (index, element) in zip(indexes, elements) where !isThere(element) {
      leftIndexes.insert(Swift.min(index, collection.objectCount + left.count))
      left.append(element)
    }
    return (leftIndexes, left)
  }
}
