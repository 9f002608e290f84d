/// A to-many property as a mutable array: see ``KeyValueObject/mutableArrayValue(forKey:)``.
final class KeyValueMutableArray: NSMutableArray {
  // Apple's initializers can't be overridden, so they are inherited, and this is set after them.
  private var mutations: OrderedMutations?
  private var target: OrderedMutations { made(mutations) }

  #if canImport(ObjectiveC)
  convenience init(_ property: ToManyProperty) {
    self.init()
    mutations = OrderedMutations(property, isOrderedSet: false)
  }
  #else
  init(_ property: ToManyProperty) {
    mutations = OrderedMutations(property, isOrderedSet: false)
    super.init(objects: nil, count: 0)
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) { refuseCreation() }
  required convenience init(arrayLiteral elements: Any...) { refuseCreation() }
  required convenience init?(coder: NSCoder) { refuseCreation() }
  #endif

  // MARK: Reading

  override var count: Int { target.count }

  override func object(at index: Int) -> Any { target.object(at: index) }

  override subscript(index: Int) -> Any {
    get { target.object(at: index) }
    set { replaceObject(at: index, with: newValue) }
  }

  override func isEqual(to other: [Any]) -> Bool {
    let objects = target.objects
    return objects.count == other.count && zip(objects, other).allSatisfy(ObjectBridging.areEqual)
  }

  override func contains(_ object: Any) -> Bool { target.index(equalTo: object) != nil }

  override func index(of object: Any) -> Int { target.index(equalTo: object) ?? NSNotFound }

  override func index(of object: Any, in range: NSRange) -> Int {
    target.index(equalTo: object, in: range) ?? NSNotFound
  }

  override func indexOfObjectIdentical(to object: Any) -> Int {
    indexes(identicalTo: object, in: wholeRange).first ?? NSNotFound
  }

  override func indexOfObjectIdentical(to object: Any, in range: NSRange) -> Int {
    indexes(identicalTo: object, in: range).first ?? NSNotFound
  }

  // MARK: Inserting

  override func add(_ object: Any) {
    target.append([object])
  }

  override func addObjects(from objects: [Any]) {
    target.append(objects)
  }

  override func insert(_ object: Any, at index: Int) {
    target.insert([object], at: target.single(index, .insertion))
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    target.insert(objects, at: indexes)
  }

  // MARK: Removing

  override func removeObject(at index: Int) {
    target.remove(at: target.single(index))
  }

  override func removeObjects(at indexes: IndexSet) {
    target.remove(at: indexes)
  }

  override func removeObjects(in range: NSRange) {
    target.remove(at: IndexSet(integersIn: target.checked(range)))
  }

  override func removeLastObject() {
    if count > 0 { removeObject(at: count - 1) }
  }

  override func removeAllObjects() {
    target.remove(at: IndexSet(integersIn: 0..<count))
  }

  override func remove(_ object: Any) {
    remove(object, in: wholeRange)
  }

  override func remove(_ object: Any, in range: NSRange) {
    target.remove(at: target.indexes(equalTo: object, in: target.checked(range)))
  }

  override func removeObject(identicalTo object: Any) {
    removeObject(identicalTo: object, in: wholeRange)
  }

  override func removeObject(identicalTo object: Any, in range: NSRange) {
    target.remove(at: indexes(identicalTo: object, in: range))
  }

  override func removeObjects(in objects: [Any]) {
    target.remove(at: target.indexes(equalToAnyOf: objects))
  }

  // MARK: Replacing

  override func replaceObject(at index: Int, with object: Any) {
    target.replace(at: target.single(index), with: [object])
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    target.replace(at: indexes, with: objects)
  }

  override func replaceObjects(in range: NSRange, withObjectsFrom objects: [Any]) {
    target.replace(range, with: objects)
  }

  override func replaceObjects(in range: NSRange, withObjectsFrom objects: [Any], range otherRange: NSRange) {
    target.replace(range, with: NSArray(array: objects).subarray(with: otherRange))
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    target.exchange(first, second)
  }

  override func setArray(_ objects: [Any]) {
    target.assign(objects)
  }

  // MARK: Sorting

  #if canImport(ObjectiveC)
  override func sort(
    _ compare: @convention(c) (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?
  ) {
    target.sort(0..<count) { ComparisonResult(compare($0, $1, context)) }
  }
  #else
  override func sort(_ compare: (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?) {
    target.sort(0..<count) { ComparisonResult(compare($0, $1, context)) }
  }
  #endif

  override func sort(comparator: (Any, Any) -> ComparisonResult) {
    target.sort(0..<count, comparator)
  }

  override func sort(options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult) {
    target.sort(0..<count, comparator)
  }

  override func sort(using descriptors: [NSSortDescriptor]) {
    target.sort(0..<count, descriptors.compare)
  }

  // MARK: Details

  private var wholeRange: NSRange { NSRange(location: 0, length: count) }

  private func indexes(identicalTo object: Any, in range: NSRange) -> IndexSet {
    target.indexes(in: target.checked(range)) { ObjectBridging.areIdentical($0, object) }
  }
}
