#if !canImport(ObjectiveC)
extension Array: ToManyStorage {
  static var empty: [Element] { [] }
  var form: ToManyForm { .array }
  var objectCount: Int { count }
  var elementType: Any.Type { Element.self }

  func object(at index: Int) -> Any {
    ToManyElement.object(self[index])
  }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? {
    guard let type = Element.self as? any Equatable.Type else {
      return range.first { ToManyElement.areEqual(self.object(at: $0), object) }
    }
    func search<Equal: Equatable>(_ type: Equal.Type) -> Int? {
      guard let elements = (self as Any) as? [Equal], let element = ToManyElement.equalElement(object, type) else {
        return nil
      }
      return elements[range].firstIndex(of: element)
    }
    return search(type)
  }

  func element(equalTo object: Any) -> Any? {
    index(equalTo: object, in: 0..<count).map { self.object(at: $0) }
  }

  func element(convertedFrom object: Any) -> Any? {
    ToManyElement.element(object, Element.self)
  }

  mutating func apply(_ edit: ToManyEdit) -> Any {
    switch edit {
    case .insert(let objects, let indexes):
      insert(objects.map { $0 as! Element }, at: indexes)
      return ()
    case .remove(let indexes):
      let removed = indexes.map { self[$0] }
      removeSubranges(RangeSet(indexes.rangeView))
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

  /// - Complexity: Linear in the number of elements, however many indexes there are.
  private mutating func insert(_ elements: [Element], at indexes: IndexSet) {
    if let range = indexes.rangeView.first, indexes.rangeView.count == 1 {
      return insert(contentsOf: elements, at: range.lowerBound)
    }
    let before = self
    self = []
    reserveCapacity(before.count + elements.count)
    var (next, rest) = (elements.startIndex, before[...])
    for range in indexes.rangeView {
      append(contentsOf: rest.prefix(range.lowerBound - count))
      rest = before[(range.lowerBound - next)...]
      append(contentsOf: elements[next..<(next + range.count)])
      next += range.count
    }
    append(contentsOf: rest)
  }
}
#endif
