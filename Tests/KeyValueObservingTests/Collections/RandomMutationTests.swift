import KeyValueObserving
import Testing
import _RandomPrograms

/// Random operations on a proxy and on a plain Swift collection. The reported changes, applied to a copy, have the same
/// result.
///
/// `KVO_SEED` in the environment repeats a run; a failure says which seed it had.
@Suite struct RandomMutationTests {
  private static let seed = RandomRun.seed

  @Test(arguments: ["numbers", "maybe", "array", "mutableArray", "heads"])
  func arrays(_ key: String) {
    var random = RandomNumbers(seed: Self.seed)
    let (library, replay) = (Library(), Replay([]))
    let proxy = library.mutableArrayValue(forKey: key)
    replay.observe(library, key)
    var model: [Int] = []
    for step in 0..<3000 {
      let operation = Self.mutate(proxy, &model, &random)
      let isSame = proxy as? [Int] == model && replay.list == model && replay.problem == nil
      #expect(isSame, "KVO_SEED=\(Self.seed), step \(step), \(operation): \(proxy), \(model), \(replay.list)")
      guard isSame else { return }
    }
    #expect(replay.count > 1500)
  }

  @Test(arguments: ["numbers", "ordered", "mutableOrdered", "maybeOrdered"])
  func orderedSets(_ key: String) {
    var random = RandomNumbers(seed: Self.seed)
    let (library, replay) = (Library(), Replay([]))
    let proxy = library.mutableOrderedSetValue(forKey: key)
    replay.observe(library, key)
    var model: [Int] = []
    for step in 0..<3000 {
      let operation = Self.mutate(proxy, &model, &random)
      let listed = (0..<proxy.count).compactMap { proxy.object(at: $0) as? Int }
      let isSame =
        listed == model && proxy.compactMap { $0 as? Int } == model && replay.list == model && replay.problem == nil
        && Set(model).count == model.count
      #expect(isSame, "KVO_SEED=\(Self.seed), step \(step), \(operation): \(proxy), \(model), \(replay.list)")
      guard isSame else { return }
    }
    #expect(replay.count > 1000)
  }

  @Test(arguments: ["numberSet", "maybeSet", "set", "mutableSet", "maybeMutableSet"])
  func sets(_ key: String) {
    var random = RandomNumbers(seed: Self.seed)
    let (library, replay) = (Library(), Replay([]))
    let proxy = library.mutableSetValue(forKey: key)
    replay.observe(library, key)
    var model: Set<Int> = []
    for step in 0..<3000 {
      let operation = Self.mutate(proxy, &model, &random)
      let listed = Set(proxy.allObjects.compactMap { $0 as? Int })
      let isSame = listed == model && replay.set == model && replay.problem == nil && replay.count == step + 1
      #expect(isSame, "KVO_SEED=\(Self.seed), step \(step), \(operation): \(proxy), \(model), \(replay.set)")
      guard isSame else { return }
    }
  }

  // MARK: Operations

  private static func nsRange(_ range: Range<Int>) -> NSRange {
    NSRange(location: range.lowerBound, length: range.count)
  }

  private static func mutate(
    _ proxy: NSMutableArray, _ model: inout [Int], _ random: inout RandomNumbers
  ) -> String {
    let count = model.count
    let number = Int.random(in: 0..<20, using: &random)
    let numbers = (0..<Int.random(in: 0..<4, using: &random)).map { _ in Int.random(in: 0..<20, using: &random) }
    let place = Int.random(in: 0...count, using: &random)
    let index = count == 0 ? 0 : Int.random(in: 0..<count, using: &random)
    let other = count == 0 ? 0 : Int.random(in: 0..<count, using: &random)
    let range = min(index, other)..<(count == 0 ? 0 : max(index, other))
    let some = IndexSet((0..<count).filter { _ in Bool.random(using: &random) })
    let kind = count > 30 ? 9 : Int.random(in: 0..<17, using: &random)
    switch kind {
    case 0:
      proxy.add(number)
      model.append(number)
    case 1:
      proxy.addObjects(from: numbers)
      model += numbers
    case 2:
      proxy.insert(number, at: place)
      model.insert(number, at: place)
    case 3:
      var places = IndexSet()
      for (offset, number) in numbers.enumerated() {
        let low = (places.last ?? -1) + 1
        let place = Int.random(in: low...(count + offset), using: &random)
        places.insert(place)
        model.insert(number, at: place)
      }
      proxy.insert(numbers, at: places)
    case 4:
      proxy.removeLastObject()
      _ = model.popLast()
    case 5 where count > 0:
      proxy.removeObject(at: index)
      model.remove(at: index)
    case 6:
      proxy.remove(number)
      model.removeAll { $0 == number }
    case 7:
      proxy.removeObjects(in: numbers)
      model.removeAll { numbers.contains($0) }
    case 8:
      proxy.removeObjects(in: nsRange(range))
      model.removeSubrange(range)
    case 9:
      proxy.removeObjects(at: some)
      for index in some.reversed() { model.remove(at: index) }
    case 10 where count > 0:
      proxy.replaceObject(at: index, with: number)
      model[index] = number
    case 11:
      proxy.replaceObjects(at: some, with: some.map { (index: Int) -> Int in index + number })
      for index in some { model[index] = index + number }
    case 12:
      proxy.replaceObjects(in: nsRange(range), withObjectsFrom: numbers)
      model.replaceSubrange(range, with: numbers)
    case 13 where count > 0:
      proxy.exchangeObject(at: index, withObjectAt: other)
      model.swapAt(index, other)
    case 14:
      proxy.sort(comparator: MutatingMethodTests.descending)
      model.sort(by: >)
    case 15:
      proxy.filter(using: NSPredicate { value, _ in value as? Int != number })
      model.removeAll { $0 == number }
    case 16 where number < 5:
      proxy.setArray(numbers)
      model = numbers
    default: break
    }
    return "operation \(kind)"
  }

  private static func mutate(
    _ proxy: NSMutableOrderedSet, _ model: inout [Int], _ random: inout RandomNumbers
  ) -> String {
    let count = model.count
    let number = Int.random(in: 0..<20, using: &random)
    let numbers = (0..<Int.random(in: 0..<4, using: &random)).map { _ in Int.random(in: 0..<20, using: &random) }
    let place = Int.random(in: 0...count, using: &random)
    let index = count == 0 ? 0 : Int.random(in: 0..<count, using: &random)
    let other = count == 0 ? 0 : Int.random(in: 0..<count, using: &random)
    let some = IndexSet((0..<count).filter { _ in Bool.random(using: &random) })
    let kind = Int.random(in: 0..<15, using: &random)
    switch kind {
    case 0:
      proxy.add(number)
      if !model.contains(number) { model.append(number) }
    case 1:
      proxy.addObjects(from: numbers)
      for number in numbers where !model.contains(number) { model.append(number) }
    case 2:
      let others = Array(Set(numbers))
      proxy.union(NSOrderedSet(array: others as [Any]))
      for number in others where !model.contains(number) { model.append(number) }
    case 3:
      proxy.insert(number, at: place)
      if !model.contains(number) { model.insert(number, at: place) }
    case 4:
      proxy.remove(number)
      model.removeAll { $0 == number }
    case 5:
      proxy.removeObjects(at: some)
      for index in some.reversed() { model.remove(at: index) }
    case 6 where count > 0:
      proxy.replaceObject(at: index, with: number)
      if !model.contains(number) { model[index] = number }
    case 7 where count > 0:
      proxy.exchangeObject(at: index, withObjectAt: other)
      model.swapAt(index, other)
    case 8:
      let destination = Int.random(in: 0...(count - some.count), using: &random)
      proxy.moveObjects(at: some, to: destination)
      let moved = some.map { model[$0] }
      for index in some.reversed() { model.remove(at: index) }
      model.insert(contentsOf: moved, at: destination)
    case 9:
      proxy.minusSet(Set(numbers))
      model.removeAll { numbers.contains($0) }
    case 10 where number < 3:
      proxy.intersectSet(Set(numbers))
      model.removeAll { !numbers.contains($0) }
    case 11:
      proxy.sort(comparator: MutatingMethodTests.descending)
      model.sort(by: >)
    case 12:
      proxy.filter(using: NSPredicate { value, _ in value as? Int != number })
      model.removeAll { $0 == number }
    case 13:
      proxy.replaceObjects(at: some, with: some.map { (index: Int) -> Int in index + 100 * (number + 1) })
      if !some.contains(where: { model.contains($0 + 100 * (number + 1)) }) {
        for index in some { model[index] = index + 100 * (number + 1) }
      } else {
        model = (0..<proxy.count).compactMap { proxy.object(at: $0) as? Int }
      }
    case 14 where count > 0:
      proxy.setObject(number, at: index)
      if !model.contains(number) { model[index] = number }
    default: break
    }
    return "operation \(kind)"
  }

  private static func mutate(
    _ proxy: NSMutableSet, _ model: inout Set<Int>, _ random: inout RandomNumbers
  ) -> String {
    let number = Int.random(in: 0..<20, using: &random)
    let numbers = Set((0..<Int.random(in: 0..<8, using: &random)).map { _ in Int.random(in: 0..<20, using: &random) })
    let kind = Int.random(in: 0..<8, using: &random)
    switch kind {
    case 0:
      proxy.add(number)
      model.insert(number)
    case 1:
      proxy.remove(number)
      model.remove(number)
    case 2:
      proxy.addObjects(from: Array(numbers))
      model.formUnion(numbers)
    case 3:
      proxy.union(numbers)
      model.formUnion(numbers)
    case 4:
      proxy.minus(numbers)
      model.subtract(numbers)
    case 5:
      proxy.intersect(numbers.union([1, 2, 3, 4, 5]))
      model.formIntersection(numbers.union([1, 2, 3, 4, 5]))
    case 6:
      proxy.setSet(numbers)
      model = numbers
    default:
      proxy.removeAllObjects()
      model = []
    }
    return "operation \(kind)"
  }
}
