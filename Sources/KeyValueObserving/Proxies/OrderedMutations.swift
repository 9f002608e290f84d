/// The mutations that the proxies of arrays and ordered sets share. Each method sends one notification.
///
/// The collection isn't retained while it is edited, because it would then be copied.
struct OrderedMutations {
  let target: ToManyProperty
  /// Whether the proxy is an ordered set, which contains each object once.
  let isOrderedSet: Bool

  init(_ target: ToManyProperty, isOrderedSet: Bool) {
    self.target = target
    self.isOrderedSet = isOrderedSet
  }

  var count: Int { target.count }
  var objects: [Any] { target.objects }
  func object(at index: Int) -> Any { target.object(at: index) }

  /// Whether the collection contains each object once.
  var isUnique: Bool { isOrderedSet || target.collection.kind == .orderedSet }
}

// MARK: Finding

extension OrderedMutations {
  func index(equalTo object: Any) -> Int? {
    let collection = target.collection
    return collection.index(equalTo: object, in: 0..<collection.objectCount)
  }

  func index(equalTo object: Any, in range: NSRange) -> Int? {
    target.collection.index(equalTo: object, in: checked(range))
  }

  func indexes(in range: Range<Int>, where condition: (Any) -> Bool) -> IndexSet {
    let collection = target.collection
    return IndexSet(range.filter { condition(collection.object(at: $0)) })
  }

  func indexes(equalTo object: Any, in range: Range<Int>) -> IndexSet {
    let collection = target.collection
    var (indexes, start) = (IndexSet(), range.lowerBound)
    while let index = collection.index(equalTo: object, in: start..<range.upperBound) {
      indexes.insert(index)
      start = index + 1
    }
    return indexes
  }

  func indexes(equalToAnyOf objects: [Any]) -> IndexSet {
    if objects.count == 1 { return indexes(equalTo: objects[0], in: 0..<count) }
    let identities = Set(objects.map(ObjectBridging.identity))
    return indexes(in: 0..<count) { identities.contains(ObjectBridging.identity(of: $0)) }
  }

  /// `range` if it is within the collection.
  func checked(_ range: NSRange) -> Range<Int> {
    let count = count
    guard range.location >= 0, range.length >= 0, range.location <= count, range.length <= count - range.location else {
      target.refuse(range.location + max(range.length, 1) - 1, count: count)
    }
    return range.location..<(range.location + range.length)
  }
}

// MARK: Mutating

/// Each method returns its edit of the collection; nil if it affected no index, and so sent no notification.
extension OrderedMutations {
  @discardableResult
  func append(_ objects: [Any]) -> CollectionEdit? {
    let elements = newElements(objects)
    return make(.insertion, IndexSet(integersIn: count..<(count + elements.count)), with: elements)
  }

  @discardableResult
  func insert(_ objects: [Any], at indexes: IndexSet) -> CollectionEdit? {
    requireCount(of: objects, indexes.count)
    require(indexes, .insertion)
    guard isUnique else { return make(.insertion, indexes, with: target.elements(objects)) }
    let (indexes, elements) = uniqueInsertions(target.elements(objects), at: indexes)
    return make(.insertion, indexes, with: elements)
  }

  @discardableResult
  func remove(at indexes: IndexSet) -> CollectionEdit? {
    make(.removal, indexes, with: [])
  }

  @discardableResult
  func replace(at indexes: IndexSet, with objects: [Any]) -> CollectionEdit? {
    requireCount(of: objects, indexes.count)
    require(indexes, .replacement)
    guard isUnique else { return make(.replacement, indexes, with: target.elements(objects)) }
    let (indexes, elements) = uniqueReplacements(target.elements(objects), at: indexes)
    return make(.replacement, indexes, with: elements)
  }

  /// Replaces the objects in a range with objects whose number may differ.
  @discardableResult
  func replace(_ range: NSRange, with objects: [Any]) -> CollectionEdit? {
    let range = checked(range)
    if objects.count == range.count {
      return replace(at: IndexSet(integersIn: range), with: objects)
    } else if range.isEmpty {
      return insert(objects, at: IndexSet(integersIn: range.lowerBound..<(range.lowerBound + objects.count)))
    } else if objects.isEmpty {
      return remove(at: IndexSet(integersIn: range))
    } else {
      var all = self.objects
      all.replaceSubrange(range, with: objects)
      return assign(all)
    }
  }

  @discardableResult
  func exchange(_ first: Int, _ second: Int) -> CollectionEdit? {
    let indexes = single(first).union(single(second))
    return rearrange(indexes, first < second ? [second, first] : first > second ? [first, second] : [first])
  }

  @discardableResult
  func sort(_ range: Range<Int>, _ compare: (Any, Any) -> ComparisonResult) -> CollectionEdit? {
    let objects = objects
    let order = range.sorted {
      let result = compare(objects[$0], objects[$1])
      return result == .orderedSame ? $0 < $1 : result == .orderedAscending
    }
    return rearrange(IndexSet(integersIn: range), order)
  }

  /// Moves the objects at `indexes` so that the first of them is at `destination`.
  @discardableResult
  func move(_ indexes: IndexSet, to destination: Int) -> CollectionEdit? {
    require(indexes, .replacement)
    guard let first = indexes.first, let last = indexes.last else { return nil }
    var order = (0..<count).filter { !indexes.contains($0) }
    if !(0...order.count ~= destination) { target.refuse(destination, count: order.count) }
    order.insert(contentsOf: indexes, at: destination)
    let touched = min(first, destination)...max(last, destination + indexes.count - 1)
    return rearrange(IndexSet(integersIn: touched), Array(order[touched]))
  }

  /// Sets the whole collection.
  @discardableResult
  func assign(_ objects: [Any]) -> CollectionEdit? {
    let elements = isUnique ? uniqueElements(target.elements(objects)) : target.elements(objects)
    target.make(.setting, .assign(elements))
    return .assign(elements)
  }
}

// MARK: Indexes

extension OrderedMutations {
  /// An index set of one index, which must be in range.
  func single(_ index: Int, _ kind: NSKeyValueChange = .replacement) -> IndexSet {
    let count = count
    guard index >= 0, index < count || kind == .insertion && index == count else { target.refuse(index, count: count) }
    return [index]
  }

  /// Traps if one of `indexes` is out of range for the kind of change.
  private func require(_ indexes: IndexSet, _ kind: NSKeyValueChange) {
    let count = count
    let edit: CollectionEdit = kind == .insertion ? .insert([], at: indexes) : .remove(at: indexes)
    guard let index = edit.index(beyond: count) else { return }
    target.refuse(index, count: count)
  }

  private func requireCount(of objects: [Any], _ count: Int) {
    guard objects.count != count else { return }
    misuse(
      "Cannot put \(objects.count) objects into \(target.subject)", because: "\(count) indexes were given for them",
      remedy: "Pass one index for each object.")
  }
}

// MARK: Details

extension OrderedMutations {
  private func make(_ kind: NSKeyValueChange, _ indexes: IndexSet, with elements: [Any]) -> CollectionEdit? {
    guard !indexes.isEmpty else { return nil }
    require(indexes, kind)
    let edit: CollectionEdit =
      switch kind {
      case .insertion: .insert(elements, at: indexes)
      case .removal: .remove(at: indexes)
      default: .replace(at: indexes, with: elements)
      }
    target.make(.ordered(kind, indexes), edit)
    return edit
  }

  /// Replaces the objects at `indexes` with those that are at the indexes in `order`.
  private func rearrange(_ indexes: IndexSet, _ order: [Int]) -> CollectionEdit? {
    let objects = order.map { target.object(at: $0) }
    return make(.replacement, indexes, with: target.elements(objects))
  }
}
