/// A to-many property as a mutable array: see ``KeyValueObject/mutableArrayValue(forKey:)``.
final class KeyValueMutableArray: NSMutableArray, CollectionView {
  private var property: ToManyProperty?
  private var contents: OrderedMutations { OrderedMutations(made(property)) }

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

  required init(objects: UnsafePointer<AnyObject>?, count: Int) { refuseCreation() }
  required convenience init(arrayLiteral elements: Any...) { refuseCreation() }
  required convenience init?(coder: NSCoder) { refuseCreation() }
  #endif

  // MARK: Reading

  override var count: Int { contents.count }

  override func object(at index: Int) -> Any { contents.object(at: index) }

  override func isEqual(to other: [Any]) -> Bool {
    let objects = contents.objects
    return objects.count == other.count && zip(objects, other).allSatisfy(ObjectBridging.areEqual)
  }

  override func contains(_ object: Any) -> Bool { contents.index(equalTo: object) != nil }

  override func index(of object: Any) -> Int { contents.index(equalTo: object) ?? NSNotFound }

  override func index(of object: Any, in range: NSRange) -> Int {
    contents.index(equalTo: object, in: range) ?? NSNotFound
  }

  override func indexOfObjectIdentical(to object: Any) -> Int {
    contents.indexes(identicalTo: object).first ?? NSNotFound
  }

  override func indexOfObjectIdentical(to object: Any, in range: NSRange) -> Int {
    contents.indexes(identicalTo: object, in: range).first ?? NSNotFound
  }

  // MARK: Inserting

  override func add(_ object: Any) { mutate { $0.append([object]) } }

  override func addObjects(from objects: [Any]) { mutate { $0.append(objects) } }

  override func insert(_ object: Any, at index: Int) {
    mutate { $0.insert([object], at: $0.single(index, .insertion)) }
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) { mutate { $0.insert(objects, at: indexes) } }

  // MARK: Removing

  override func removeObject(at index: Int) { mutate { $0.remove(at: $0.single(index)) } }

  override func removeObjects(at indexes: IndexSet) { mutate { $0.remove(at: indexes) } }

  override func removeObjects(in range: NSRange) { mutate { $0.remove(at: IndexSet(integersIn: $0.checked(range))) } }

  override func removeLastObject() { mutate { $0.remove(at: $0.allIndexes.last.map { [$0] } ?? []) } }

  override func removeAllObjects() { mutate { $0.remove(at: $0.allIndexes) } }

  override func remove(_ object: Any) { mutate { $0.remove(at: $0.indexes(equalTo: object)) } }

  override func remove(_ object: Any, in range: NSRange) {
    mutate { $0.remove(at: $0.indexes(equalTo: object, in: range)) }
  }

  override func removeObject(identicalTo object: Any) { mutate { $0.remove(at: $0.indexes(identicalTo: object)) } }

  override func removeObject(identicalTo object: Any, in range: NSRange) {
    mutate { $0.remove(at: $0.indexes(identicalTo: object, in: range)) }
  }

  override func removeObjects(in objects: [Any]) { mutate { $0.remove(at: $0.indexes(equalToAnyOf: objects)) } }

  // MARK: Replacing

  override func replaceObject(at index: Int, with object: Any) {
    mutate { $0.replace(at: $0.single(index), with: [object]) }
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    mutate { $0.replace(at: indexes, with: objects) }
  }

  override func replaceObjects(in range: NSRange, withObjectsFrom objects: [Any]) {
    mutate { $0.replace(range, with: objects) }
  }

  override func replaceObjects(in range: NSRange, withObjectsFrom objects: [Any], range otherRange: NSRange) {
    mutate { $0.replace(range, with: NSArray(array: objects).subarray(with: otherRange)) }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) { mutate { $0.exchange(first, second) } }

  override func setArray(_ objects: [Any]) { mutate { $0.assign(objects) } }

  // MARK: Sorting

  #if canImport(ObjectiveC)
  override func sort(
    _ compare: @convention(c) (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?
  ) {
    mutate { $0.sort { ComparisonResult(compare($0, $1, context)) } }
  }
  #else
  override func sort(_ compare: (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?) {
    mutate { $0.sort { ComparisonResult(compare($0, $1, context)) } }
  }
  #endif

  override func sort(comparator: (Any, Any) -> ComparisonResult) { mutate { $0.sort(nil, comparator) } }

  override func sort(options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult) {
    mutate { $0.sort(nil, comparator) }
  }

  override func sort(using descriptors: [NSSortDescriptor]) { mutate { $0.sort(nil, descriptors.compare) } }

  private func mutate(_ mutation: (OrderedMutations) -> CollectionChange?) { made(property).change(mutation) }
}
