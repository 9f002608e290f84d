/// A to-many property without order as a mutable set: see ``KeyValueObject/mutableSetValue(forKey:)``.
///
/// Many methods of Foundation's class read private storage, and so are overridden here. `filter(using:)`, which can't
/// be overridden, removes objects one by one.
final class KeyValueMutableSet: NSMutableSet {
  // Apple's initializers can't be overridden, so they are inherited, and this is set after them.
  private var mutations: SetMutations?
  private var target: SetMutations { made(mutations) }

  #if canImport(ObjectiveC)
  convenience init(_ property: ToManyProperty) {
    self.init()
    mutations = SetMutations(target: property)
  }
  #else
  init(_ property: ToManyProperty) {
    mutations = SetMutations(target: property)
    super.init(objects: nil, count: 0)
  }

  required init(capacity: Int) { refuseCreation() }
  required convenience init?(coder: NSCoder) { refuseCreation() }
  #endif

  // MARK: Reading

  override var count: Int { target.count }

  override func member(_ object: Any) -> Any? { target.element(equalTo: object) }

  override func objectEnumerator() -> NSEnumerator { ObjectEnumerator(target.objects) }

  override var allObjects: [Any] { target.objects }

  /// A copy of the set that isn't a view.
  private var snapshot: NSSet { NSSet(array: target.objects) }

  override func isEqual(_ other: Any?) -> Bool {
    switch other {
    case let other as NSSet: snapshot.isEqual(NSSet(array: other.allObjects))
    default: snapshot.isEqual(other)
    }
  }

  override func isEqual(to other: Set<AnyHashable>) -> Bool { count == other.count && isSubset(of: other) }

  override func isSubset(of other: Set<AnyHashable>) -> Bool {
    let other = NSSet(set: other)
    return target.objects.allSatisfy { other.contains($0) }
  }

  override func intersects(_ other: Set<AnyHashable>) -> Bool { other.contains { contains($0.base) } }

  override func addingObjects(from other: Set<AnyHashable>) -> Set<AnyHashable> { addingObjects(from: Array(other)) }

  override func addingObjects(from other: [Any]) -> Set<AnyHashable> {
    Set((target.objects + other).compactMap { $0 as? AnyHashable })
  }

  #if !canImport(ObjectiveC)
  override func description(withLocale locale: Locale?) -> String { snapshot.description(withLocale: locale) }
  #endif

  // MARK: Mutating

  override func add(_ object: Any) {
    target.union([object])
  }

  override func addObjects(from objects: [Any]) {
    target.union(objects)
  }

  override func union(_ other: Set<AnyHashable>) {
    target.union(other.map(\.base))
  }

  override func remove(_ object: Any) {
    target.minus([object])
  }

  override func minus(_ other: Set<AnyHashable>) {
    target.minus(other.map(\.base))
  }

  override func removeAllObjects() {
    target.minus(target.objects)
  }

  override func intersect(_ other: Set<AnyHashable>) {
    target.intersect(other.map(\.base))
  }

  override func setSet(_ other: Set<AnyHashable>) {
    target.set(other.map(\.base))
  }
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
