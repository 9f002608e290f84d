/// The mutations that the proxies of arrays and ordered sets share, of the collection as a call of a proxy finds it.
///
/// It is created for each call, so that the collection is read only once. It must be released before the property is
/// edited, which would copy the collection otherwise.
struct OrderedMutations {
  private let property: ToManyProperty
  private let collection: any ToManyCollection
  /// Whether the collection contains each object once.
  private let isUnique: Bool

  /// Reads the collection.
  init(_ property: ToManyProperty) {
    self.property = property
    collection = property.collection
    isUnique = property.kind == .orderedSet || collection.kind == .orderedSet
  }
}

// MARK: Reading

extension OrderedMutations {
  var count: Int { collection.objectCount }

  var objects: [Any] { collection.objects }

  var allIndexes: IndexSet { IndexSet(integersIn: 0..<count) }

  func object(at index: Int) -> Any {
    guard 0..<count ~= index else { property.refuse(index, count: count) }
    return collection.object(at: index)
  }

  func index(equalTo object: Any, in range: NSRange? = nil) -> Int? {
    collection.index(equalTo: object, in: range.map(checked) ?? 0..<count)
  }

  func indexes(equalTo object: Any, in range: NSRange? = nil) -> IndexSet {
    let range = range.map(checked) ?? 0..<count
    var (indexes, start) = (IndexSet(), range.lowerBound)
    while let index = collection.index(equalTo: object, in: start..<range.upperBound) {
      indexes.insert(index)
      start = index + 1
    }
    return indexes
  }

  func indexes(equalToAnyOf objects: [Any]) -> IndexSet {
    if objects.count == 1 { return indexes(equalTo: objects[0]) }
    let identities = Set(objects.map(ObjectBridging.identity))
    return indexes(in: 0..<count) { identities.contains(ObjectBridging.identity(of: $0)) }
  }

  func indexes(identicalTo object: Any, in range: NSRange? = nil) -> IndexSet {
    indexes(in: range.map(checked) ?? 0..<count) { ObjectBridging.areIdentical($0, object) }
  }

  private func indexes(in range: Range<Int>, where condition: (Any) -> Bool) -> IndexSet {
    IndexSet(range.filter { condition(collection.object(at: $0)) })
  }
}

// MARK: Checking

extension OrderedMutations {
  /// `range` if it is within the collection.
  func checked(_ range: NSRange) -> Range<Int> {
    guard range.location >= 0, range.length >= 0, range.location <= count, range.length <= count - range.location else {
      property.refuse(range.location + max(range.length, 1) - 1, count: count)
    }
    return range.location..<(range.location + range.length)
  }

  /// An index set of one index, which must be in range.
  func single(_ index: Int, _ kind: NSKeyValueChange = .replacement) -> IndexSet {
    guard index >= 0, index < count || kind == .insertion && index == count else {
      property.refuse(index, count: count)
    }
    return [index]
  }

  /// Traps if an index is out of range for the edit.
  private func require(_ edit: CollectionEdit) {
    if let index = edit.index(beyond: count) { property.refuse(index, count: count) }
  }

  private func requireCount(of objects: [Any], _ count: Int) {
    guard objects.count != count else { return }
    misuse(
      "Cannot put \(objects.count) objects into \(property.subject)", because: "\(count) indexes were given for them",
      remedy: "Pass one index for each object.")
  }
}

// MARK: Mutating

/// Each method returns the change to make; nil if it affects no index.
extension OrderedMutations {
  func append(_ objects: [Any]) -> CollectionChange? {
    insert(objects, at: IndexSet(integersIn: count..<(count + objects.count)))
  }

  func insert(_ objects: [Any], at indexes: IndexSet) -> CollectionChange? {
    requireCount(of: objects, indexes.count)
    require(.insert([], at: indexes))
    let elements = elements(objects)
    let (indexes, left) = isUnique ? uniqueInsertions(elements, indexes) : (indexes, elements)
    return change(.insertion, indexes, .insert(left, at: indexes))
  }

  func remove(at indexes: IndexSet) -> CollectionChange? {
    require(.remove(at: indexes))
    return change(.removal, indexes, .remove(at: indexes))
  }

  func replace(at indexes: IndexSet, with objects: [Any]) -> CollectionChange? {
    requireCount(of: objects, indexes.count)
    require(.replace(at: indexes, with: []))
    let elements = elements(objects)
    let (indexes, left) = isUnique ? uniqueReplacements(elements, indexes) : (indexes, elements)
    return change(.replacement, indexes, .replace(at: indexes, with: left))
  }

  /// Replaces the objects in a range with objects whose number may differ.
  func replace(_ range: NSRange, with objects: [Any]) -> CollectionChange? {
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

  func exchange(_ first: Int, _ second: Int) -> CollectionChange? {
    let indexes = single(first).union(single(second))
    return rearrange(indexes, indexes.reversed())
  }

  /// Sorts the objects in a range; all of them if it is nil.
  func sort(_ range: NSRange? = nil, _ compare: (Any, Any) -> ComparisonResult) -> CollectionChange? {
    let range = range.map(checked) ?? 0..<count
    let objects = objects
    let order = range.sorted {
      let result = compare(objects[$0], objects[$1])
      return result == .orderedSame ? $0 < $1 : result == .orderedAscending
    }
    return rearrange(IndexSet(integersIn: range), order)
  }

  /// Moves the objects at `indexes` so that the first of them is at `destination`.
  func move(_ indexes: IndexSet, to destination: Int) -> CollectionChange? {
    require(.replace(at: indexes, with: []))
    guard let first = indexes.first, let last = indexes.last else { return nil }
    var order = (0..<count).filter { !indexes.contains($0) }
    if !(0...order.count ~= destination) { property.refuse(destination, count: order.count) }
    order.insert(contentsOf: indexes, at: destination)
    let touched = min(first, destination)...max(last, destination + indexes.count - 1)
    return rearrange(IndexSet(integersIn: touched), Array(order[touched]))
  }

  /// Sets the whole collection.
  func assign(_ objects: [Any]) -> CollectionChange {
    let elements = elements(objects)
    return CollectionChange(mutation: .setting, edit: .assign(isUnique ? DistinctValues(elements).array : elements))
  }

  /// Replaces the objects at `indexes` with those that are at the indexes in `order`.
  private func rearrange(_ indexes: IndexSet, _ order: [Int]) -> CollectionChange? {
    change(.replacement, indexes, .replace(at: indexes, with: elements(order.map { collection.object(at: $0) })))
  }

  private func elements(_ objects: [Any]) -> [Any] { property.elements(objects, of: collection) }

  private func change(_ kind: NSKeyValueChange, _ indexes: IndexSet, _ edit: CollectionEdit) -> CollectionChange? {
    indexes.isEmpty ? nil : CollectionChange(mutation: .ordered(kind, indexes), edit: edit)
  }
}

// MARK: Unique objects

extension OrderedMutations {
  /// The elements that a collection of unique objects doesn't contain, each at its index, or at the end if the index is
  /// now out of range.
  private func uniqueInsertions(_ elements: [Any], _ indexes: IndexSet) -> (indexes: IndexSet, elements: [Any]) {
    var (left, leftIndexes, seen) = ([Any](), IndexSet(), knownIdentities(elements))
    for (index, element) in zip(indexes, elements) where seen.insert(ObjectBridging.identity(of: element)).inserted {
      leftIndexes.insert(min(index, count + left.count))
      left.append(element)
    }
    return (leftIndexes, left)
  }

  /// The identities of those `elements` that the collection contains.
  private func knownIdentities(_ elements: [Any]) -> Set<AnyHashable> {
    if elements.count > 1 { return Set(objects.map(ObjectBridging.identity)) }
    return Set(elements.filter { collection.element(equalTo: $0) != nil }.map(ObjectBridging.identity))
  }

  /// The replacements that keep each object unique: all together if possible, otherwise one after another.
  private func uniqueReplacements(_ elements: [Any], _ indexes: IndexSet) -> (indexes: IndexSet, elements: [Any]) {
    let present = objects.map(ObjectBridging.identity)
    var identities = present
    for (index, element) in zip(indexes, elements) { identities[index] = ObjectBridging.identity(of: element) }
    if Set(identities).count == identities.count { return (indexes, elements) }

    identities = present
    var (left, leftIndexes, seen) = ([Any](), IndexSet(), Set(present))
    for (index, element) in zip(indexes, elements) {
      let identity = ObjectBridging.identity(of: element)
      guard identity == identities[index] || !seen.contains(identity) else { continue }
      seen.remove(identities[index])
      seen.insert(identity)
      identities[index] = identity
      leftIndexes.insert(index)
      left.append(element)
    }
    return (leftIndexes, left)
  }
}
