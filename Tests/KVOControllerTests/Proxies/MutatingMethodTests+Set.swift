import KVOController

extension MutatingMethodTests {
  static let setMethods: [Case<NSMutableSet>] = [
    Case("add", to: [1, 2, 3, 9], .set(.insertion, new: [9])) { $0.add(9) },
    Case("add what is there", to: [1, 2, 3], .set(.insertion, new: [])) { $0.add(1) },
    Case("addObjects", to: [1, 2, 3, 8, 9], .set(.insertion, new: [8, 9])) { $0.addObjects(from: [8, 1, 9]) },
    Case("addObjects, none", to: [1, 2, 3], .set(.insertion, new: [])) { $0.addObjects(from: []) },
    Case("union", to: [1, 2, 3, 8], .set(.insertion, new: [8])) { $0.union([8, 1]) },
    Case("remove", to: [2, 3], .set(.removal, old: [1])) { $0.remove(1) },
    Case("remove what isn't there", to: [1, 2, 3], .set(.removal, old: [])) { $0.remove(9) },
    Case("remove another type", to: [1, 2, 3], .set(.removal, old: [])) { $0.remove("text") },
    Case("minus", to: [2], .set(.removal, old: [1, 3])) { $0.minus([1, 3, 9]) },
    Case("intersect", to: [1, 3], .set(.removal, old: [2])) { $0.intersect([1, 3, 9]) },
    Case("intersect without effect", to: [1, 2, 3], .set(.removal, old: [])) { $0.intersect([1, 2, 3]) },
    Case("removeAllObjects", to: [], .set(.removal, old: [1, 2, 3])) { $0.removeAllObjects() },
    Case("removeAllObjects of none", from: [], to: [], .set(.removal, old: [])) { $0.removeAllObjects() },
    Case("setSet", to: [1, 8], .set(.replacement, old: [2, 3], new: [8])) { $0.setSet([1, 8]) },
    Case("setSet without effect", to: [1, 2, 3], .set(.replacement, old: [], new: [])) { $0.setSet([1, 2, 3]) },
    Case("filter one", replayedTo: [1, 3]) { $0.filter(using: NSPredicate { value, _ in value as? Int != 2 }) },
  ]
}
