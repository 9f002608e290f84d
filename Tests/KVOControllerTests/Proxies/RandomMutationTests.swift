import KVOController
import Testing
import _KVOTestSupport
import _RandomPrograms

/// Random operations on a proxy and on a plain Swift collection. The reported changes, applied to a copy, have the same
/// result.
@Suite struct RandomMutationTests {
  private let library = Library()
  private let replay = Replay([])

  @Test(arguments: ["numbers", "maybe", "array", "mutableArray", "heads"])
  func arrays(_ key: String) {
    let proxy = library.mutableArrayValue(forKey: key)
    var model: [Int] = []
    check(key, leastChanges: 0.5) { choices in
      let operation = Self.mutate(proxy, &model, &choices)
      return proxy as? [Int] == model && replay.list == model ? nil : "\(operation): \(proxy), \(model), \(replay.list)"
    }
  }

  @Test(arguments: ["numbers", "ordered", "mutableOrdered", "maybeOrdered"])
  func orderedSets(_ key: String) {
    let proxy = library.mutableOrderedSetValue(forKey: key)
    var model: [Int] = []
    check(key, leastChanges: 0.33) { choices in
      let operation = Self.mutate(proxy, &model, &choices)
      let listed = (0..<proxy.count).compactMap { proxy.object(at: $0) as? Int }
      let isSame =
        listed == model && proxy.compactMap { $0 as? Int } == model && replay.list == model
        && Set(model).count == model.count
      return isSame ? nil : "\(operation): \(proxy), \(model), \(replay.list)"
    }
  }

  @Test(arguments: ["numberSet", "maybeSet", "set", "mutableSet", "maybeMutableSet"])
  func sets(_ key: String) {
    let proxy = library.mutableSetValue(forKey: key)
    var model: Set<Int> = []
    var count = 0
    check(key, leastChanges: 1) { choices in
      let operation = Self.mutate(proxy, &model, &choices)
      count += 1
      let isSame = Set(proxy.allObjects.compactMap { $0 as? Int }) == model && replay.set == model
      return isSame && replay.count == count ? nil : "\(operation): \(proxy), \(model), \(replay.set)"
    }
  }

  /// Performs operations until one is reported wrongly. So many of them have to be reported, as a share of all.
  private func check(_ key: String, leastChanges: Double, _ step: (inout Choices) -> String?) {
    replay.observe(library, key)
    let failure = RandomRun.failure(operations: 3000) { choices, steps in
      let failure = steps.firstFailure { step(&choices) ?? replay.problem }
      let hasFew = Double(replay.count) < leastChanges * Double(steps.count) && steps.count >= 300
      return failure ?? (hasFew ? "only \(replay.count) changes" : nil)
    }
    #expect(failure == nil, "\(failure ?? "")")
  }

  // MARK: Operations

  private static func nsRange(_ range: Range<Int>) -> NSRange {
    NSRange(location: range.lowerBound, length: range.count)
  }

  /// Arguments of an operation on so many objects: a number, some numbers, an index to insert at, two indexes of objects, and
  /// some.
  private static func arguments(
    _ count: Int, _ choices: inout Choices
  ) -> (number: Int, numbers: [Int], place: Int, index: Int, other: Int, some: IndexSet) {
    (
      choices.below(20), choices.numbers(upTo: 3, below: 20), choices.below(count + 1), choices.below(max(1, count)),
      choices.below(max(1, count)), IndexSet((0..<count).filter { _ in choices.isOne(in: 2) })
    )
  }

  private static func mutate(
    _ proxy: NSMutableArray, _ model: inout [Int], _ choices: inout Choices
  ) -> String {
    let count = model.count
    let (number, numbers, place, index, other, some) = arguments(count, &choices)
    let range = min(index, other)..<(count == 0 ? 0 : max(index, other))
    let kind = count > 30 ? 9 : choices.below(17)
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
        let place = choices.number(in: low...(count + offset))
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
    _ proxy: NSMutableOrderedSet, _ model: inout [Int], _ choices: inout Choices
  ) -> String {
    let count = model.count
    let (number, numbers, place, index, other, some) = arguments(count, &choices)
    let kind = choices.below(15)
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
      let destination = choices.below(count - some.count + 1)
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
    _ proxy: NSMutableSet, _ model: inout Set<Int>, _ choices: inout Choices
  ) -> String {
    let number = choices.below(20)
    let numbers = Set((0..<choices.below(8)).map { _ in choices.below(20) })
    let kind = choices.below(8)
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
