/// A collection whose elements Key-Value Coding reaches, whatever their type.
protocol ObjectCollection {
  /// All elements; in no order if the collection has none.
  var allObjects: [Any] { get }

  /// The elements at the indexes, as far as the collection has an order and reaches; a nil one is `NSNull`.
  ///
  /// - Complexity: Linear in the number of indexes.
  func objects(at indexes: IndexSet) -> [Any]
}

extension Array: ObjectCollection {
  var allObjects: [Any] { self }

  func objects(at indexes: IndexSet) -> [Any] {
    indexes.filter(indices.contains).map { ObjectBridging.object(self[$0]) }
  }
}

extension Set: ObjectCollection {
  var allObjects: [Any] { Array(self) }
  func objects(at indexes: IndexSet) -> [Any] { [] }
}

extension NSArray: ObjectCollection {
  var allObjects: [Any] { map { $0 } }

  func objects(at indexes: IndexSet) -> [Any] {
    indexes.filter { $0 < count }.map { object(at: $0) }
  }
}

extension NSSet: ObjectCollection {
  func objects(at indexes: IndexSet) -> [Any] { [] }
}

extension NSOrderedSet: ObjectCollection {
  var allObjects: [Any] { map { $0 } }

  func objects(at indexes: IndexSet) -> [Any] {
    indexes.filter { $0 < count }.map { object(at: $0) }
  }
}
