// Foundation's collections are edited as copies, so that the values that observers have received never change.

extension ToManyCollection where Self: NSObject {
  var elementType: Any.Type { Any.self }

  func element(convertedFrom object: Any) -> Any? { unwrapped(object) ?? NSNull() }
}

extension NSArray: ToManyCollection {
  var kind: CollectionKind { .array }
  var objectCount: Int { count }
  var allObjects: [Any] { map { $0 } }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? {
    range.first { ObjectBridging.areEqual(self.object(at: $0), object) }
  }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    let array = NSMutableArray(array: objects.edited(edit).allObjects)
    return self is NSMutableArray ? array : NSArray(array: array.allObjects)
  }
}

extension NSOrderedSet: ToManyCollection {
  var kind: CollectionKind { .orderedSet }
  var objectCount: Int { count }
  var allObjects: [Any] { map { $0 } }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? {
    guard contains(object) else { return nil }
    return range.first { ObjectBridging.areEqual(self.object(at: $0), object) }
  }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    let objects = objects.edited(edit).allObjects
    return self is NSMutableOrderedSet ? NSMutableOrderedSet(array: objects) : NSOrderedSet(array: objects)
  }
}

extension NSSet: ToManyCollection {
  var kind: CollectionKind { .set }
  var objectCount: Int { count }

  func object(at index: Int) -> Any { allObjects[index] }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? { nil }

  func element(equalTo object: Any) -> Any? { member(object).map(ObjectBridging.bridged) }

  func element(convertedFrom object: Any) -> Any? {
    // As the set's enumerator returns it, so that removed objects are equal to those that were inserted.
    ObjectBridging.bridged(unwrapped(object) ?? NSNull())
  }

  func edited(_ edit: CollectionEdit) -> any ToManyCollection {
    let set = editableCopy
    switch edit {
    case .exchange(let removed, let added):
      for object in removed { set.remove(object) }
      set.addObjects(from: added)
    case .assign(let objects):
      set.removeAllObjects()
      set.addObjects(from: objects)
    case .insert, .remove, .replace:
      break
    }
    return self is NSMutableSet ? set : NSSet(array: set.allObjects)
  }

  private var editableCopy: NSMutableSet {
    guard let counted = self as? NSCountedSet else { return NSMutableSet(array: allObjects) }
    let copy = NSCountedSet()
    for object in allObjects {
      for _ in 0..<counted.count(for: object) { copy.add(object) }
    }
    return copy
  }
}
