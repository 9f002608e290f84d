/// A to-many property as a mutable ordered set: see ``KeyValueObject/mutableOrderedSetValue(forKey:)``.
///
/// In swift-corelibs-foundation, some of its members can't be overridden and read private storage. The storage is
/// filled when the view is created, receives the same edits, and is filled again when the property has a different
/// number of objects. In Apple's Foundation this class has no storage.
final class KeyValueMutableOrderedSet: NSMutableOrderedSet {
  // Apple's initializers can't be overridden, so they are inherited, and these are set after them.
  private var mutations: OrderedMutations?
  private var arrayView: KeyValueMutableArray?
  private var target: OrderedMutations { made(mutations) }
  private var view: KeyValueMutableArray { made(arrayView) }
  #if !canImport(ObjectiveC)
  /// How often the private storage was updated.
  private var steps = 0
  /// Whether the private storage is being updated, when Foundation calls the overridden methods to read it.
  private var isStepping = false
  #endif

  #if canImport(ObjectiveC)
  convenience init(_ property: ToManyProperty) {
    self.init()
    mutations = OrderedMutations(property, isOrderedSet: true)
    arrayView = KeyValueMutableArray(property)
  }
  #else
  init(_ property: ToManyProperty) {
    mutations = OrderedMutations(property, isOrderedSet: true)
    arrayView = KeyValueMutableArray(property)
    super.init(objects: nil, count: 0)
    step(.assign(property.objects))
  }
  #endif

  // MARK: Reading

  #if canImport(ObjectiveC)
  override var count: Int { target.count }

  override func contains(_ object: Any) -> Bool { target.index(equalTo: object) != nil }
  #else
  override var count: Int {
    if isStepping { return super.count }
    if !isInStep { step(.assign(target.objects)) }
    return target.count
  }

  override func contains(_ object: Any) -> Bool {
    isStepping ? super.contains(object) : target.index(equalTo: object) != nil
  }
  #endif

  override func object(at index: Int) -> Any { target.object(at: index) }

  override subscript(index: Int) -> Any {
    get { target.object(at: index) }
    set { replaceObject(at: index, with: newValue) }
  }

  override func index(of object: Any) -> Int { target.index(equalTo: object) ?? NSNotFound }

  override func isEqual(to other: NSOrderedSet) -> Bool { view.isEqual(to: other.objects) }

  override func intersects(_ other: NSOrderedSet) -> Bool { other.objects.contains { contains($0) } }

  override func intersectsSet(_ other: Set<AnyHashable>) -> Bool { other.contains { contains($0.base) } }

  override func isSubset(of other: NSOrderedSet) -> Bool { target.objects.allSatisfy { other.contains($0) } }

  override func isSubset(of other: Set<AnyHashable>) -> Bool {
    let other = NSSet(set: other)
    return target.objects.allSatisfy { other.contains($0) }
  }

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

  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: target.objects) }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: target.objects) }

  // MARK: Inserting

  override func add(_ object: Any) {
    mutate { target.append([object]) }
  }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
  }

  override func addObjects(from objects: [Any]) {
    mutate { target.append(objects) }
  }

  override func insert(_ object: Any, at index: Int) {
    mutate { target.insert([object], at: target.single(index, .insertion)) }
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    mutate { target.insert(objects, at: indexes) }
  }

  override func union(_ other: NSOrderedSet) {
    addObjects(from: other.objects)
  }

  override func unionSet(_ other: Set<AnyHashable>) {
    addObjects(from: other.map(\.base))
  }

  // MARK: Removing

  override func removeObject(at index: Int) {
    mutate { target.remove(at: target.single(index)) }
  }

  override func removeObjects(at indexes: IndexSet) {
    mutate { target.remove(at: indexes) }
  }

  override func removeObjects(in range: NSRange) {
    mutate { target.remove(at: IndexSet(integersIn: target.checked(range))) }
  }

  override func removeAllObjects() {
    mutate { target.remove(at: IndexSet(integersIn: 0..<target.count)) }
  }

  override func remove(_ object: Any) {
    removeObjects(in: [object])
  }

  override func removeObjects(in objects: [Any]) {
    mutate { target.remove(at: target.indexes(equalToAnyOf: objects)) }
  }

  override func minus(_ other: NSOrderedSet) {
    removeObjects(in: other.objects)
  }

  override func minusSet(_ other: Set<AnyHashable>) {
    removeObjects(in: other.map(\.base))
  }

  override func intersect(_ other: NSOrderedSet) {
    keepObjects(in: other.objects)
  }

  override func intersectSet(_ other: Set<AnyHashable>) {
    keepObjects(in: other.map(\.base))
  }

  private func keepObjects(in objects: [Any]) {
    mutate { target.remove(at: IndexSet(0..<target.count).subtracting(target.indexes(equalToAnyOf: objects))) }
  }

  // MARK: Replacing

  override func replaceObject(at index: Int, with object: Any) {
    mutate { target.replace(at: target.single(index), with: [object]) }
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    mutate { target.replace(at: indexes, with: objects) }
  }

  override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>?, count: Int) {
    mutate { target.replace(range, with: Array(UnsafeBufferPointer(start: objects, count: count))) }
  }

  override func setObject(_ object: Any, at index: Int) {
    if index == target.count { add(object) } else { replaceObject(at: index, with: object) }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    mutate { target.exchange(first, second) }
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    mutate { target.move(indexes, to: index) }
  }

  override func sort(comparator compare: (Any, Any) -> ComparisonResult) {
    mutate { target.sort(0..<target.count, compare) }
  }

  override func sort(options: NSSortOptions = [], usingComparator compare: (Any, Any) -> ComparisonResult) {
    mutate { target.sort(0..<target.count, compare) }
  }

  override func sortRange(
    _ range: NSRange, options: NSSortOptions = [], usingComparator compare: (Any, Any) -> ComparisonResult
  ) {
    mutate { target.sort(target.checked(range), compare) }
  }

  override func sort(using descriptors: [NSSortDescriptor]) {
    mutate { target.sort(0..<target.count, descriptors.compare) }
  }

  // MARK: The private storage

  #if canImport(ObjectiveC)
  private func mutate(_ body: () -> CollectionEdit?) {
    _ = body()
  }
  #else
  private var isInStep: Bool { super.count == target.count }

  private func mutate(_ body: () -> CollectionEdit?) {
    let wasInStep = isInStep
    let steps = steps
    guard let edit = body() else { return }
    // An observer may have edited the property meanwhile.
    if wasInStep, steps == self.steps { step(edit) }
    if !isInStep { step(.assign(target.objects)) }
  }

  private func step(_ edit: CollectionEdit) {
    steps += 1
    isStepping = true
    defer { isStepping = false }
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
  required convenience init(arrayLiteral elements: Any...) { refuseCreation() }
  required convenience init?(coder: NSCoder) { refuseCreation() }
  #endif
}
