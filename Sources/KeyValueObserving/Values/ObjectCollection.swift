/// A collection with elements of any type, as Key-Value Coding reads it.
protocol ObjectCollection {
  /// All elements, in the collection's order if it has one.
  var allObjects: [Any] { get }

  /// The elements at those indexes that are in range; empty for a set. A nil element is `NSNull`.
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
