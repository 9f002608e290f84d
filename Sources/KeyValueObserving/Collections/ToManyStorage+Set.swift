#if !canImport(ObjectiveC)
extension Set: ToManyStorage {
  static var empty: Set { [] }
  var form: ToManyForm { .set }
  var objectCount: Int { count }
  var elementType: Any.Type { Element.self }

  func object(at index: Int) -> Any {
    ToManyElement.object(self[self.index(startIndex, offsetBy: index)])
  }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? { nil }

  func element(equalTo object: Any) -> Any? {
    ToManyElement.equalElement(object, Element.self).flatMap { firstIndex(of: $0) }.map {
      ToManyElement.object(self[$0])
    }
  }

  func element(convertedFrom object: Any) -> Any? {
    ToManyElement.element(object, Element.self)
  }

  mutating func apply(_ edit: ToManyEdit) -> Any {
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
#endif
