extension Array: ToManyCollection, EditableCollection {
  static var empty: [Element] { [] }
  var kind: CollectionKind { .array }
  var objectCount: Int { count }
  var allObjects: [Any] { self }
  var elementType: Any.Type { Element.self }

  func object(at index: Int) -> Any { ObjectBridging.object(self[index]) }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? {
    guard let type = Element.self as? any Equatable.Type else {
      return range.first { ObjectBridging.areEqual(self.object(at: $0), object) }
    }
    func search<Equal: Equatable>(_ type: Equal.Type) -> Int? {
      guard let elements = (self as Any) as? [Equal], let element = ObjectBridging.equalElement(object, type) else {
        return nil
      }
      return elements[range].firstIndex(of: element)
    }
    return search(type)
  }

  func element(convertedFrom object: Any) -> Any? { ObjectBridging.element(object, Element.self) }

  mutating func apply(_ edit: CollectionEdit) -> Any {
    switch edit {
    case .insert(let objects, let indexes):
      insert(objects.map { $0 as! Element }, at: indexes)
      return ()
    case .remove(let indexes):
      let removed = indexes.map { self[$0] }
      remove(at: indexes)
      return removed
    case .replace(let indexes, let objects):
      let replaced = indexes.map { self[$0] }
      for (index, object) in zip(indexes, objects) { self[index] = object as! Element }
      return replaced
    case .assign(let objects):
      let replaced = self
      self = objects.map { $0 as! Element }
      return replaced
    case .exchange:
      return ()
    }
  }

  private mutating func remove(at indexes: IndexSet) {
    let ranges = indexes.rangeView
    if let range = ranges.first, ranges.count == 1 { return removeSubrange(range) }
    var index = -1
    removeAll { _ in
      index += 1
      return indexes.contains(index)
    }
  }

  private mutating func insert(_ elements: [Element], at indexes: IndexSet) {
    let ranges = indexes.rangeView
    if let range = ranges.first, ranges.count == 1 { return insert(contentsOf: elements, at: range.lowerBound) }
    var (kept, inserted) = (makeIterator(), elements.makeIterator())
    self = (0..<count + elements.count).compactMap { indexes.contains($0) ? inserted.next() : kept.next() }
  }
}

extension Set: ToManyCollection, EditableCollection {
  static var empty: Set { [] }
  var kind: CollectionKind { .set }
  var objectCount: Int { count }
  var allObjects: [Any] { Array(self) }
  var elementType: Any.Type { Element.self }

  func object(at index: Int) -> Any {
    ObjectBridging.object(self[self.index(startIndex, offsetBy: index)])
  }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? { nil }

  func element(equalTo object: Any) -> Any? {
    ObjectBridging.equalElement(object, Element.self).flatMap { firstIndex(of: $0) }.map {
      ObjectBridging.object(self[$0])
    }
  }

  func element(convertedFrom object: Any) -> Any? { ObjectBridging.element(object, Element.self) }

  mutating func apply(_ edit: CollectionEdit) -> Any {
    switch edit {
    case .exchange(let removed, let added):
      let removed = removed.compactMap { remove($0 as! Element) }
      for object in added { insert(object as! Element) }
      return removed
    case .assign(let objects):
      let replaced = self
      self = Set(objects.map { $0 as! Element })
      return replaced
    case .insert, .remove, .replace:
      return ()
    }
  }
}

/// nil is edited as the empty collection.
extension Optional: EditableCollection where Wrapped: EditableCollection {
  static var empty: Wrapped? { Wrapped.empty }
  var objectCount: Int { self?.objectCount ?? 0 }

  mutating func apply(_ edit: CollectionEdit) -> Any {
    if self == nil { self = Wrapped.empty }
    return self?.apply(edit) ?? ()
  }
}
