/// Mutations of a collection that contains each object once.
extension OrderedMutations {
  /// `objects` as elements, without those that a collection of unique objects contains already.
  func newElements(_ objects: [Any]) -> [Any] {
    let elements = target.elements(objects)
    guard isUnique else { return elements }
    return uniqueInsertions(elements, at: IndexSet(integersIn: count..<(count + elements.count))).elements
  }

  /// The elements that a collection of unique objects doesn't contain, each at its index, or at the end if the index is
  /// now out of range.
  func uniqueInsertions(_ elements: [Any], at indexes: IndexSet) -> (indexes: IndexSet, elements: [Any]) {
    let known = knownIdentities(elements)
    let count = count
    var (left, leftIndexes, seen) = ([Any](), IndexSet(), known)
    for (index, element) in zip(indexes, elements) where seen.insert(ObjectBridging.identity(of: element)).inserted {
      leftIndexes.insert(min(index, count + left.count))
      left.append(element)
    }
    return (leftIndexes, left)
  }

  /// The replacements that keep each object unique: all together if possible, otherwise one after another.
  func uniqueReplacements(_ elements: [Any], at indexes: IndexSet) -> (indexes: IndexSet, elements: [Any]) {
    var identities = objects.map(ObjectBridging.identity)
    let present = identities
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

  /// The identities of those `elements` that the collection contains.
  private func knownIdentities(_ elements: [Any]) -> Set<AnyHashable> {
    let collection = target.collection
    if elements.count > 1 { return Set(collection.objects.map(ObjectBridging.identity)) }
    return Set(elements.filter { collection.element(equalTo: $0) != nil }.map(ObjectBridging.identity))
  }

  /// The elements without later duplicates.
  func uniqueElements(_ elements: [Any]) -> [Any] {
    var seen = Set<AnyHashable>()
    return elements.filter { seen.insert(ObjectBridging.identity(of: $0)).inserted }
  }
}
