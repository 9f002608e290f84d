import KVOController

extension MutatingMethodTests {
  static let arrayMethods: [Case<NSMutableArray>] = [
    Case("add", to: [3, 1, 2, 9], .insertion([9], at: [3])) { $0.add(9) },
    Case("addObjects", to: [3, 1, 2, 9, 3], .insertion([9, 3], at: [3, 4])) { $0.addObjects(from: [9, 3]) },
    Case("addObjects, none", to: [3, 1, 2], nil) { $0.addObjects(from: []) },
    Case("insert", to: [3, 9, 1, 2], .insertion([9], at: [1])) { $0.insert(9, at: 1) },
    Case("insert at the end", to: [3, 1, 2, 9], .insertion([9], at: [3])) { $0.insert(9, at: 3) },
    Case("insert several", to: [9, 3, 8, 1, 2, 7], .insertion([9, 8, 7], at: [0, 2, 5])) {
      $0.insert([9, 8, 7], at: [0, 2, 5])
    },
    Case("insert several in a row", to: [3, 9, 8, 1, 2], .insertion([9, 8], at: [1, 2])) {
      $0.insert([9, 8], at: [1, 2])
    },
    Case("insert none", to: [3, 1, 2], nil) { $0.insert([], at: []) },
    Case("removeObject", to: [3, 2], .removal([1], at: [1])) { $0.removeObject(at: 1) },
    Case("removeObjects at", to: [1], .removal([3, 2], at: [0, 2])) { $0.removeObjects(at: [0, 2]) },
    Case("removeObjects at none", to: [3, 1, 2], nil) { $0.removeObjects(at: []) },
    Case("removeObjects in range", to: [3], .removal([1, 2], at: [1, 2])) {
      $0.removeObjects(in: NSRange(location: 1, length: 2))
    },
    Case("removeLastObject", to: [3, 1], .removal([2], at: [2])) { $0.removeLastObject() },
    Case("removeLastObject of none", from: [], to: [], nil) { $0.removeLastObject() },
    Case("removeAllObjects", to: [], .removal([3, 1, 2], at: [0, 1, 2])) { $0.removeAllObjects() },
    Case("removeAllObjects of none", from: [], to: [], nil) { $0.removeAllObjects() },
    Case("remove", from: [1, 2, 1, 3], to: [2, 3], .removal([1, 1], at: [0, 2])) { $0.remove(1) },
    Case("remove what isn't there", to: [3, 1, 2], nil) { $0.remove(7) },
    Case("remove in range", from: [1, 2, 1, 1], to: [1, 2, 1], .removal([1], at: [2])) {
      $0.remove(1, in: NSRange(location: 1, length: 2))
    },
    Case("removeObjects in array", from: [1, 2, 3, 1, 4], to: [2, 4], .removal([1, 3, 1], at: [0, 2, 3])) {
      $0.removeObjects(in: [3, 1, 7])
    },
    Case("removeObject identical, a value", to: [3, 1, 2], nil) { $0.removeObject(identicalTo: 1) },
    Case("replaceObject", to: [3, 9, 2], .replacement([1], with: [9], at: [1])) { $0.replaceObject(at: 1, with: 9) },
    Case("subscript", to: [3, 9, 2], .replacement([1], with: [9], at: [1])) { $0[1] = 9 },
    Case("replace by the same", to: [3, 1, 2], .replacement([1], with: [1], at: [1])) { $0[1] = 1 },
    Case("replaceObjects at", to: [9, 1, 8], .replacement([3, 2], with: [9, 8], at: [0, 2])) {
      $0.replaceObjects(at: [0, 2], with: [9, 8])
    },
    Case("replaceObjects in range", to: [3, 9, 8], .replacement([1, 2], with: [9, 8], at: [1, 2])) {
      $0.replaceObjects(in: NSRange(location: 1, length: 2), withObjectsFrom: [9, 8])
    },
    Case("replaceObjects in range by more", replayedTo: [3, 9, 8, 7, 2]) {
      $0.replaceObjects(in: NSRange(location: 1, length: 1), withObjectsFrom: [9, 8, 7])
    },
    Case("replaceObjects in range by none", to: [3], .removal([1, 2], at: [1, 2])) {
      $0.replaceObjects(in: NSRange(location: 1, length: 2), withObjectsFrom: [])
    },
    Case("replaceObjects in no range", to: [3, 9, 8, 1, 2], .insertion([9, 8], at: [1, 2])) {
      $0.replaceObjects(in: NSRange(location: 1, length: 0), withObjectsFrom: [9, 8])
    },
    Case("replaceObjects in range from range", replayedTo: [8, 7, 2]) {
      $0.replaceObjects(
        in: NSRange(location: 0, length: 2), withObjectsFrom: [9, 8, 7], range: NSRange(location: 1, length: 2))
    },
    Case("exchange", replayedTo: [2, 1, 3]) { $0.exchangeObject(at: 2, withObjectAt: 0) },
    Case("exchange with itself", replayedTo: [3, 1, 2]) { $0.exchangeObject(at: 1, withObjectAt: 1) },
    Case("setArray", to: [7, 8], .setting([3, 1, 2], with: [7, 8])) { $0.setArray([7, 8]) },
    Case("setArray to none", to: [], .setting([3, 1, 2], with: [])) { $0.setArray([]) },
    Case("sort by comparator", replayedTo: [3, 2, 1]) { $0.sort(comparator: descending) },
    Case("sort with options", replayedTo: [3, 2, 1]) { $0.sort(options: .stable, usingComparator: descending) },
    Case("sort by function", replayedTo: [1, 2, 3]) {
      $0.sort({ left, right, _ in ((left as? Int ?? 0) - (right as? Int ?? 0)).signum() }, context: nil)
    },
    Case("sort by descriptors", replayedTo: [1, 2, 3]) { $0.sort(using: descriptors) },
    Case("sort none", from: [], replayedTo: []) { $0.sort(comparator: descending) },
    Case("filter", replayedTo: [3, 2]) { $0.filter(using: NSPredicate { value, _ in value as? Int != 1 }) },
    Case("filter none", replayedTo: [3, 1, 2]) { $0.filter(using: NSPredicate { _, _ in true }) },
  ]
}
