/// A to-many property without order as a mutable set: see ``KeyValueObject/mutableSetValue(forKey:)``.
///
/// Each mutation sends one notification, even if it has no effect. `filter(using:)`, which can't be overridden, removes objects
/// one by one.
final class KeyValueMutableSet: NSMutableSet, CollectionView {
  private var source: ToManyProperty?
  private var property: ToManyProperty { source! }

  convenience init(_ property: ToManyProperty) {
    self.init()
    source = property
  }

  // MARK: Reading

  override var count: Int { property.collection.objectCount }

  override func member(_ object: Any) -> Any? { property.collection.element(equalTo: object) }

  override func objectEnumerator() -> NSEnumerator { ObjectEnumerator(property.collection.objects) }

  override var description: String { NSSet(array: allObjects).description }

  // The Foundation of Swift 6.3 on Linux distinguishes a number of Swift's from an equal NSNumber where it compares elements.

  override func isEqual(_ other: Any?) -> Bool {
    guard let other = other as? any ToManyCollection, other.kind == .set else { return false }
    return NSSet(array: allObjects).isEqual(NSSet(array: other.objects))
  }

  override func isEqual(to other: Set<AnyHashable>) -> Bool { isEqual(other) }

  override func isSubset(of other: Set<AnyHashable>) -> Bool { allObjects.allSatisfy(NSSet(set: other).contains) }

  override func intersects(_ other: Set<AnyHashable>) -> Bool { other.contains { contains($0.base) } }

  override func addingObjects(from other: Set<AnyHashable>) -> Set<AnyHashable> { addingObjects(from: Array(other)) }

  // MARK: Mutating

  override func add(_ object: Any) { addObjects(from: [object]) }

  override func addObjects(from objects: [Any]) { edit(.union) { _ in objects } }

  override func union(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }

  override func remove(_ object: Any) { edit(.minus) { $0.elements(equalToAnyOf: [object]) } }

  override func minus(_ other: Set<AnyHashable>) { edit(.minus) { $0.elements(equalToAnyOf: other.map(\.base)) } }

  override func removeAllObjects() { edit(.minus) { $0.objects } }

  override func intersect(_ other: Set<AnyHashable>) {
    edit(.minus) { collection in
      let kept = Set(collection.elements(equalToAnyOf: other.map(\.base)).map(ObjectBridging.identity))
      return collection.objects.filter { !kept.contains(ObjectBridging.identity(of: $0)) }
    }
  }

  override func setSet(_ other: Set<AnyHashable>) { edit(.set) { _ in other.map(\.base) } }

  private func edit(_ kind: NSKeyValueSetMutationKind, _ objects: (any ToManyCollection) -> [Any]) {
    property.edit { collection in
      let elements = property.elements(objects(collection), of: collection)
      let members = Set(elements.compactMap { ObjectBridging.object($0) as? AnyHashable })
      return CollectionEdit(mutation: .unordered(kind, members), objects: elements)
    }
  }
}

/// Enumerates objects as they were when it was created.
private final class ObjectEnumerator: NSEnumerator {
  private var objects: IndexingIterator<[Any]>

  init(_ objects: [Any]) { self.objects = objects.makeIterator() }

  override func nextObject() -> Any? { objects.next() }
}

extension ToManyCollection {
  fileprivate func elements(equalToAnyOf objects: [Any]) -> [Any] { objects.compactMap(element(equalTo:)) }
}
