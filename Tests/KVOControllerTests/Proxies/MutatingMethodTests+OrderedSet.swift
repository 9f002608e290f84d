import KVOController

extension MutatingMethodTests {
  static let orderedSetMethods: [Case<NSMutableOrderedSet>] = [
    Case("add", to: [3, 1, 2, 9], .insertion([9], at: [3])) { $0.add(9) },
    Case("add what is there", to: [3, 1, 2], nil) { $0.add(1) },
    Case("add a buffer", to: [3, 1, 2, 8, 9], .insertion([8, 9], at: [3, 4])) { $0.add(boxed, count: 2) },
    Case("addObjects", to: [3, 1, 2, 9, 8], .insertion([9, 8], at: [3, 4])) { $0.addObjects(from: [9, 3, 8, 9]) },
    Case("insert", to: [3, 9, 1, 2], .insertion([9], at: [1])) { $0.insert(9, at: 1) },
    Case("insert what is there", to: [3, 1, 2], nil) { $0.insert(2, at: 0) },
    Case("insert several", to: [9, 3, 8, 1, 2], .insertion([9, 8], at: [0, 2])) { $0.insert([9, 8], at: [0, 2]) },
    Case("insert several, one there", to: [3, 1, 2, 9], .insertion([9], at: [3])) { $0.insert([1, 9], at: [3, 4]) },
    Case("setObject", to: [3, 9, 2], .replacement([1], with: [9], at: [1])) { $0.setObject(9, at: 1) },
    Case("setObject at the end", to: [3, 1, 2, 9], .insertion([9], at: [3])) { $0.setObject(9, at: 3) },
    Case("removeObject", to: [3, 2], .removal([1], at: [1])) { $0.removeObject(at: 1) },
    Case("removeObjects at", to: [1], .removal([3, 2], at: [0, 2])) { $0.removeObjects(at: [0, 2]) },
    Case("removeObjects in range", to: [3], .removal([1, 2], at: [1, 2])) {
      $0.removeObjects(in: NSRange(location: 1, length: 2))
    },
    Case("removeAllObjects", to: [], .removal([3, 1, 2], at: [0, 1, 2])) { $0.removeAllObjects() },
    Case("remove", to: [3, 2], .removal([1], at: [1])) { $0.remove(1) },
    Case("remove what isn't there", to: [3, 1, 2], nil) { $0.remove(9) },
    Case("removeObjects in array", to: [1], .removal([3, 2], at: [0, 2])) { $0.removeObjects(in: [2, 9, 3]) },
    Case("replaceObject", to: [3, 9, 2], .replacement([1], with: [9], at: [1])) { $0.replaceObject(at: 1, with: 9) },
    Case("replaceObject by what is elsewhere", to: [3, 1, 2], nil) { $0.replaceObject(at: 1, with: 2) },
    Case("replaceObject by itself", to: [3, 1, 2], .replacement([1], with: [1], at: [1])) { $0[1] = 1 },
    Case("replaceObjects at", to: [9, 1, 8], .replacement([3, 2], with: [9, 8], at: [0, 2])) {
      $0.replaceObjects(at: [0, 2], with: [9, 8])
    },
    Case("replaceObjects by each other", to: [2, 1, 3], .replacement([3, 2], with: [2, 3], at: [0, 2])) {
      $0.replaceObjects(at: [0, 2], with: [2, 3])
    },
    Case("replaceObjects by twice the same", to: [3, 1, 2], nil) { $0.replaceObjects(at: [0, 2], with: [9, 9]) },
    Case("exchange", replayedTo: [2, 1, 3]) { $0.exchangeObject(at: 0, withObjectAt: 2) },
    Case("move up", replayedTo: [1, 2, 3]) { $0.moveObjects(at: [0], to: 2) },
    Case("move down", replayedTo: [3, 2, 1]) { $0.moveObjects(at: [2], to: 1) },
    Case("move several", from: [1, 2, 3, 4, 5], replayedTo: [1, 3, 2, 4, 5]) { $0.moveObjects(at: [1, 3], to: 2) },
    Case("sort by comparator", replayedTo: [3, 2, 1]) { $0.sort(comparator: descending) },
    Case("sort with options", replayedTo: [3, 2, 1]) { $0.sort(options: [], usingComparator: descending) },
    Case("sort a range", replayedTo: [3, 2, 1]) {
      $0.sortRange(NSRange(location: 1, length: 2), options: [], usingComparator: descending)
    },
    Case("sort by descriptors", replayedTo: [1, 2, 3]) { $0.sort(using: descriptors) },
    Case("filter", replayedTo: [3, 2]) { $0.filter(using: NSPredicate { value, _ in value as? Int != 1 }) },
    Case("union", to: [3, 1, 2, 9], .insertion([9], at: [3])) { $0.union(NSOrderedSet(array: [1, 9])) },
    Case("union without effect", to: [3, 1, 2], nil) { $0.union(NSOrderedSet(array: [1])) },
    Case("unionSet", to: [3, 1, 2, 9], .insertion([9], at: [3])) { $0.unionSet([1, 9]) },
    Case("minus", to: [1], .removal([3, 2], at: [0, 2])) { $0.minus(NSOrderedSet(array: [2, 3, 9])) },
    Case("minusSet", to: [1], .removal([3, 2], at: [0, 2])) { $0.minusSet([2, 3, 9]) },
    Case("intersect", to: [3, 2], .removal([1], at: [1])) { $0.intersect(NSOrderedSet(array: [2, 3, 9])) },
    Case("intersectSet", to: [3, 2], .removal([1], at: [1])) { $0.intersectSet([2, 3, 9]) },
  ]
}
