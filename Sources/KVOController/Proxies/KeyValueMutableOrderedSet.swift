/// A to-many property as a mutable ordered set: see ``KeyValueObject/mutableOrderedSetValue(forKey:)``.
///
/// In swift-corelibs-foundation, some of its members can't be overridden and read private storage. The storage is
/// filled when the view is created, receives the same edits, and is filled again when the property has a different
/// number of objects. In Apple's Foundation this class has no storage.
final class KeyValueMutableOrderedSet: NSMutableOrderedSet, CollectionView {
  private var property: ToManyProperty?
  private var arrayView: KeyValueMutableArray?
  private var contents: OrderedMutations { OrderedMutations(made(property)) }
  private var view: KeyValueMutableArray { made(arrayView) }
  #if !canImport(ObjectiveC)
  /// How often the private storage was updated.
  private var updates = 0
  /// Whether it is being updated, when Foundation calls the overridden methods to read it.
  private var isUpdating = false
  #endif

  #if canImport(ObjectiveC)
  convenience init(_ property: ToManyProperty) {
    self.init()
    self.property = property
    arrayView = KeyValueMutableArray(property)
  }
  #else
  init(_ property: ToManyProperty) {
    self.property = property
    arrayView = KeyValueMutableArray(property)
    super.init(objects: nil, count: 0)
    updateStorage(by: .assign(contents.objects))
  }

  required convenience init(arrayLiteral elements: Any...) { refuseCreation() }
  required convenience init?(coder: NSCoder) { refuseCreation() }
  #endif

  // MARK: Reading

  override var count: Int {
    #if !canImport(ObjectiveC)
    if isUpdating { return super.count }
    fillStorage()
    #endif
    return contents.count
  }

  override func contains(_ object: Any) -> Bool {
    #if !canImport(ObjectiveC)
    if isUpdating { return super.contains(object) }
    #endif
    return contents.index(equalTo: object) != nil
  }

  override func object(at index: Int) -> Any { contents.object(at: index) }

  override func index(of object: Any) -> Int { contents.index(equalTo: object) ?? NSNotFound }

  override func isEqual(to other: NSOrderedSet) -> Bool { view.isEqual(to: other.objects) }

  override func intersects(_ other: NSOrderedSet) -> Bool { contains(anyOf: other.objects) }

  override func intersectsSet(_ other: Set<AnyHashable>) -> Bool { contains(anyOf: other.map(\.base)) }

  private func contains(anyOf objects: [Any]) -> Bool {
    let contents = contents
    return objects.contains { contents.index(equalTo: $0) != nil }
  }

  override func isSubset(of other: NSOrderedSet) -> Bool { contents.objects.allSatisfy { other.contains($0) } }

  override func isSubset(of other: Set<AnyHashable>) -> Bool { NSSet(set: other).containsAll(contents.objects) }

  override func enumerateObjects(_ body: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
    view.enumerateObjects(body)
  }

  override func enumerateObjects(
    at indexes: IndexSet, options: NSEnumerationOptions = [],
    using body: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    view.enumerateObjects(at: indexes, options: options, using: body)
  }

  override func index(
    ofObjectAt indexes: IndexSet, options: NSEnumerationOptions = [],
    passingTest test: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool
  ) -> Int {
    view.indexOfObject(at: indexes, options: options, passingTest: test)
  }

  override func indexes(
    ofObjectsAt indexes: IndexSet, options: NSEnumerationOptions = [],
    passingTest test: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool
  ) -> IndexSet {
    view.indexesOfObjects(at: indexes, options: options, passingTest: test)
  }

  override func index(
    of object: Any, inSortedRange range: NSRange, options: NSBinarySearchingOptions = [],
    usingComparator compare: (Any, Any) -> ComparisonResult
  ) -> Int {
    view.index(of: object, inSortedRange: range, options: options, usingComparator: compare)
  }

  override func sortedArray(
    options: NSSortOptions = [], usingComparator compare: (Any, Any) -> ComparisonResult
  ) -> [Any] {
    view.sortedArray(options: options, usingComparator: compare)
  }

  override func sortedArray(using descriptors: [NSSortDescriptor]) -> [Any] { view.sortedArray(using: descriptors) }

  override var description: String { view.description }

  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: contents.objects) }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: contents.objects) }

  // MARK: Inserting

  override func add(_ object: Any) { mutate { $0.append([object]) } }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
  }

  override func addObjects(from objects: [Any]) { mutate { $0.append(objects) } }

  override func insert(_ object: Any, at index: Int) {
    mutate { $0.insert([object], at: $0.single(index, .insertion)) }
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) { mutate { $0.insert(objects, at: indexes) } }

  override func union(_ other: NSOrderedSet) { addObjects(from: other.objects) }

  override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }

  // MARK: Removing

  override func removeObject(at index: Int) { mutate { $0.remove(at: $0.single(index)) } }

  override func removeObjects(at indexes: IndexSet) { mutate { $0.remove(at: indexes) } }

  override func removeObjects(in range: NSRange) { mutate { $0.remove(at: IndexSet(integersIn: $0.checked(range))) } }

  override func removeAllObjects() { mutate { $0.remove(at: $0.allIndexes) } }

  override func remove(_ object: Any) { removeObjects(in: [object]) }

  override func removeObjects(in objects: [Any]) { mutate { $0.remove(at: $0.indexes(equalToAnyOf: objects)) } }

  override func minus(_ other: NSOrderedSet) { removeObjects(in: other.objects) }

  override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }

  override func intersect(_ other: NSOrderedSet) { keepObjects(in: other.objects) }

  override func intersectSet(_ other: Set<AnyHashable>) { keepObjects(in: other.map(\.base)) }

  private func keepObjects(in objects: [Any]) {
    mutate { $0.remove(at: $0.allIndexes.subtracting($0.indexes(equalToAnyOf: objects))) }
  }

  // MARK: Replacing

  override func replaceObject(at index: Int, with object: Any) {
    mutate { $0.replace(at: $0.single(index), with: [object]) }
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    mutate { $0.replace(at: indexes, with: objects) }
  }

  override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>?, count: Int) {
    mutate { $0.replace(range, with: Array(UnsafeBufferPointer(start: objects, count: count))) }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) { mutate { $0.exchange(first, second) } }

  override func moveObjects(at indexes: IndexSet, to index: Int) { mutate { $0.move(indexes, to: index) } }

  override func sort(comparator compare: (Any, Any) -> ComparisonResult) { mutate { $0.sort(nil, compare) } }

  override func sort(options: NSSortOptions = [], usingComparator compare: (Any, Any) -> ComparisonResult) {
    mutate { $0.sort(nil, compare) }
  }

  override func sortRange(
    _ range: NSRange, options: NSSortOptions = [], usingComparator compare: (Any, Any) -> ComparisonResult
  ) {
    mutate { $0.sort(range, compare) }
  }

  override func sort(using descriptors: [NSSortDescriptor]) { mutate { $0.sort(nil, descriptors.compare) } }

  private func mutate(_ mutation: (OrderedMutations) -> CollectionChange?) {
    #if canImport(ObjectiveC)
    made(property).change(mutation)
    #else
    var wasFilled = false
    let updates = updates
    let edit = made(property).change { contents in
      wasFilled = super.count == contents.count
      return mutation(contents)
    }
    guard let edit else { return }
    // An observer may have edited the property meanwhile.
    if wasFilled, updates == self.updates { updateStorage(by: edit) }
    fillStorage()
    #endif
  }

  #if !canImport(ObjectiveC)
  /// Fills the private storage if it doesn't have as many objects as the property.
  private func fillStorage() {
    let contents = contents
    if super.count != contents.count { updateStorage(by: .assign(contents.objects)) }
  }

  private func updateStorage(by edit: CollectionEdit) {
    updates += 1
    isUpdating = true
    defer { isUpdating = false }
    switch edit {
    case .insert(let objects, let indexes):
      for (index, object) in zip(indexes, objects) { super.insert(object, at: index) }
    case .remove(let indexes):
      for index in indexes.reversed() { super.removeObject(at: index) }
    case .replace(let indexes, let objects):
      for index in indexes.reversed() { super.removeObject(at: index) }
      for (index, object) in zip(indexes, objects) { super.insert(object, at: index) }
    case .assign(let objects):
      super.removeAllObjects()
      super.addObjects(from: objects)
    case .exchange:
      break
    }
  }
  #endif
}
