/// A to-many property as a mutable ordered set: see ``KeyValueObject/mutableOrderedSetValue(forKey:)``.
///
/// In swift-corelibs-foundation, some of its members can't be overridden and read private storage. The storage is filled
/// when the view is created and after each mutation, and when `count` is read and the property has changed, which some of
/// these members do. In Apple's Foundation this class has no storage.
final class KeyValueMutableOrderedSet: NSMutableOrderedSet, CollectionView {
  private var source: KeyValueMutableArray?
  private var view: KeyValueMutableArray { source! }
  /// The collection with which the private storage was filled.
  private var filled: (any ToManyCollection)?
  /// The number of objects in the private storage, whose own count stays when a value that isn't Hashable is removed.
  private var storedCount = 0
  /// Whether it is being filled, when Foundation asks for the count, and whether it contains the object already.
  private var isFilling = false

  #if canImport(ObjectiveC)
  convenience init(_ property: ToManyProperty) {
    self.init()
    source = KeyValueMutableArray(property)
  }
  #else
  init(_ property: ToManyProperty) {
    source = KeyValueMutableArray(property)
    super.init(objects: nil, count: 0)
    fillStorage()
    view.finder = { [unowned self] object, collection in storageContains(object, collection) }
  }

  required convenience init(arrayLiteral elements: Any...) { fatalError("Only KeyValueObject creates it.") }
  required convenience init?(coder: NSCoder) { nil }
  #endif

  private func mutate(_ mutation: (KeyValueMutableArray) -> Void) {
    mutation(view)
    fillStorage()
  }

  private func fillStorage() {
    #if !canImport(ObjectiveC)
    let collection = view.collection
    isFilling = true
    // What is there already stays, so that many objects can be added one by one. (An array may contain an object twice.)
    let isComplete = storedCount == filled?.objectCount
    let (start, end) = filled.map { isComplete ? collection.commonEnds(with: $0) : (0, 0) } ?? (0, 0)
    for index in (start..<storedCount - end).reversed() { super.removeObject(at: index) }
    storedCount = start + end
    for index in start..<collection.objectCount - end {
      let count = super.count
      super.insert(collection.object(at: index), at: storedCount - end)
      if super.count > count { storedCount += 1 }
    }
    isFilling = false
    filled = collection
    #endif
  }

  /// Whether the collection contains an object, by its hash; nil for a value, and for what has no reliable hash in the Foundation
  /// of Swift 6.3.
  private func storageContains(_ object: Any, _ collection: any ToManyCollection) -> Bool? {
    let type = type(of: object)
    guard type is NSObject.Type, !(type is NSNull.Type || type is NSNumber.Type), isFilled(with: collection) else {
      return nil
    }
    return super.contains(object)
  }

  /// Whether the private storage was filled with `collection`, or with an equal one of Swift's.
  private func isFilled<Collection: ToManyCollection>(with collection: Collection) -> Bool {
    guard storedCount == collection.objectCount, let filled = filled as? Collection else { return false }
    if Collection.self is AnyClass { return filled as AnyObject === collection as AnyObject }
    return areEqual(filled, collection) == true
  }

  // MARK: Reading

  override var count: Int {
    if isFilling { return super.count }
    let collection = view.collection
    #if !canImport(ObjectiveC)
    if !isFilled(with: collection) { fillStorage() }
    #endif
    return collection.objectCount
  }

  override func contains(_ object: Any) -> Bool { isFilling ? super.contains(object) : view.contains(object) }

  override func object(at index: Int) -> Any { view.object(at: index) }

  override func index(of object: Any) -> Int { view.index(of: object) }

  override func isEqual(to other: NSOrderedSet) -> Bool { view.isEqual(to: other.objects) }

  override func isSubset(of other: Set<AnyHashable>) -> Bool { view.objects.allSatisfy(NSSet(set: other).contains) }

  override func intersectsSet(_ other: Set<AnyHashable>) -> Bool { other.contains { view.contains($0.base) } }

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

  override var description: String { view.description }

  // MARK: Inserting

  override func add(_ object: Any) { addObjects(from: [object]) }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
  }

  override func addObjects(from objects: [Any]) { mutate { $0.addObjects(from: objects) } }

  override func insert(_ object: Any, at index: Int) { mutate { $0.insert(object, at: index) } }

  override func insert(_ objects: [Any], at indexes: IndexSet) { mutate { $0.insert(objects, at: indexes) } }

  override func union(_ other: NSOrderedSet) { addObjects(from: other.objects) }

  override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }

  // MARK: Removing

  override func removeObject(at index: Int) { mutate { $0.removeObject(at: index) } }

  override func removeObjects(at indexes: IndexSet) { mutate { $0.removeObjects(at: indexes) } }

  override func removeObjects(in range: NSRange) { mutate { $0.removeObjects(in: range) } }

  override func removeAllObjects() { mutate { $0.removeAllObjects() } }

  override func remove(_ object: Any) { mutate { $0.remove(object) } }

  override func removeObjects(in objects: [Any]) { mutate { $0.removeObjects(in: objects) } }

  override func minus(_ other: NSOrderedSet) { removeObjects(in: other.objects) }

  override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }

  override func intersect(_ other: NSOrderedSet) { mutate { $0.keepObjects(in: other.objects) } }

  override func intersectSet(_ other: Set<AnyHashable>) { mutate { $0.keepObjects(in: other.map(\.base)) } }

  // MARK: Replacing

  override func replaceObject(at index: Int, with object: Any) { mutate { $0.replaceObject(at: index, with: object) } }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    mutate { $0.replaceObjects(at: indexes, with: objects) }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    mutate { $0.exchangeObject(at: first, withObjectAt: second) }
  }

  override func sortRange(
    _ range: NSRange, options: NSSortOptions = [], usingComparator compare: (Any, Any) -> ComparisonResult
  ) {
    mutate { view in
      let sorted = NSArray(array: view.subarray(with: range)).sortedArray(options: options, usingComparator: compare)
      view.replaceObjects(in: range, withObjectsFrom: sorted)
    }
  }

  override func sort(using descriptors: [NSSortDescriptor]) { mutate { $0.sort(using: descriptors) } }
}
