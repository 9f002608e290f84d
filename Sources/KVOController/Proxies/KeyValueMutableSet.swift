/// A to-many property without order as a mutable set: see ``KeyValueObject/mutableSetValue(forKey:)``.
///
/// Many methods of Foundation's class read private storage, and so are overridden here. `filter(using:)`, which can't
/// be overridden, removes objects one by one.
final class KeyValueMutableSet: NSMutableSet, CollectionView {
  private var property: ToManyProperty?
  private var contents: SetMutations { SetMutations(made(property)) }

  #if canImport(ObjectiveC)
  convenience init(_ property: ToManyProperty) {
    self.init()
    self.property = property
  }
  #else
  init(_ property: ToManyProperty) {
    self.property = property
    super.init(objects: nil, count: 0)
  }

  required init(capacity: Int) { refuseCreation() }
  required convenience init?(coder: NSCoder) { refuseCreation() }
  #endif

  // MARK: Reading

  override var count: Int { contents.count }

  override func member(_ object: Any) -> Any? { contents.element(equalTo: object) }

  override func objectEnumerator() -> NSEnumerator { ObjectEnumerator(contents.objects) }

  override var allObjects: [Any] { contents.objects }

  /// A copy of the set that isn't a view.
  private var snapshot: NSSet { NSSet(array: contents.objects) }

  override func isEqual(_ other: Any?) -> Bool {
    snapshot.isEqual((other as? NSSet).map { NSSet(array: $0.allObjects) } ?? other)
  }

  override func isEqual(to other: Set<AnyHashable>) -> Bool {
    let objects = contents.objects
    return objects.count == other.count && NSSet(set: other).containsAll(objects)
  }

  override func isSubset(of other: Set<AnyHashable>) -> Bool { NSSet(set: other).containsAll(contents.objects) }

  override func intersects(_ other: Set<AnyHashable>) -> Bool {
    let contents = contents
    return other.contains { contents.element(equalTo: $0.base) != nil }
  }

  override func addingObjects(from other: Set<AnyHashable>) -> Set<AnyHashable> { addingObjects(from: Array(other)) }

  override func addingObjects(from other: [Any]) -> Set<AnyHashable> {
    Set((contents.objects + other).compactMap { $0 as? AnyHashable })
  }

  #if !canImport(ObjectiveC)
  override func description(withLocale locale: Locale?) -> String { snapshot.description(withLocale: locale) }
  #endif

  // MARK: Mutating

  override func add(_ object: Any) { mutate { $0.union([object]) } }

  override func addObjects(from objects: [Any]) { mutate { $0.union(objects) } }

  override func union(_ other: Set<AnyHashable>) { mutate { $0.union(other.map(\.base)) } }

  override func remove(_ object: Any) { mutate { $0.minus([object]) } }

  override func minus(_ other: Set<AnyHashable>) { mutate { $0.minus(other.map(\.base)) } }

  override func removeAllObjects() { mutate { $0.minus($0.objects) } }

  override func intersect(_ other: Set<AnyHashable>) { mutate { $0.intersect(other.map(\.base)) } }

  override func setSet(_ other: Set<AnyHashable>) { mutate { $0.set(other.map(\.base)) } }

  private func mutate(_ mutation: (SetMutations) -> CollectionChange) { made(property).change(mutation) }
}

/// Enumerates objects as they were when it was created.
private final class ObjectEnumerator: NSEnumerator {
  private var objects: IndexingIterator<[Any]>

  init(_ objects: [Any]) {
    self.objects = objects.makeIterator()
  }

  override func nextObject() -> Any? {
    objects.next()
  }
}

/// The mutations of the proxies of sets, which is created and released as ``OrderedMutations`` is. Each sends one
/// notification, even if it has no effect.
struct SetMutations {
  private let property: ToManyProperty
  private let collection: any ToManyCollection

  /// Reads the set.
  init(_ property: ToManyProperty) {
    self.property = property
    collection = property.collection
  }

  var count: Int { collection.objectCount }

  var objects: [Any] { collection.objects }

  func element(equalTo object: Any) -> Any? { collection.element(equalTo: object) }

  func union(_ objects: [Any]) -> CollectionChange {
    let elements = elements(objects)
    return change(.union, elements, .exchange(removing: [], adding: elements))
  }

  func minus(_ objects: [Any]) -> CollectionChange {
    let members = members(among: objects)
    return change(.minus, members, .exchange(removing: members, adding: []))
  }

  func intersect(_ objects: [Any]) -> CollectionChange {
    let kept = members(among: objects)
    let identities = Set(kept.map(ObjectBridging.identity))
    let removed = self.objects.filter { !identities.contains(ObjectBridging.identity(of: $0)) }
    return change(.intersect, kept, .exchange(removing: elements(removed), adding: []))
  }

  func set(_ objects: [Any]) -> CollectionChange {
    let elements = elements(objects)
    return change(.set, elements, .assign(elements))
  }

  private func change(_ kind: NSKeyValueSetMutationKind, _ elements: [Any], _ edit: CollectionEdit) -> CollectionChange
  {
    let objects = elements.compactMap { ObjectBridging.object($0) as? AnyHashable }
    return CollectionChange(mutation: .unordered(kind, Set(objects)), edit: edit)
  }

  private func elements(_ objects: [Any]) -> [Any] { property.elements(objects, of: collection) }

  /// The elements of the collection that are equal to one of `objects`.
  private func members(among objects: [Any]) -> [Any] {
    elements(objects.compactMap { collection.element(equalTo: $0) })
  }
}
