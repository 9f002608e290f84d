import KVOController
import Testing
import _KVOTestSupport

/// An `@Observed` property is as exclusive as a plain one: overlapping accesses trap with Swift's own
/// message, whether or not the property is observed, and wherever the second access comes from.
@Suite struct ExclusiveAccessTests {
  private func expectStop(_ result: ExitTest.Result?) {
    #expect(said("Simultaneous accesses to 0x[0-9a-f]+, but modification requires exclusive access", result))
  }

  @Test func settingInsideOfAMutation() async {
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let node = Node()
        node.items = [1, 2, 3]
        node.items.withUnsafeMutableBufferPointer { _ in node.items = [7] }
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (node, recorder) = (Node(), Recorder())
        recorder.observe(node, "items", [])
        node.items = [1, 2, 3]
        node.items.withUnsafeMutableBufferPointer { _ in node.items = [7] }
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (node, recorder) = (Node(), Recorder())
        recorder.observe(node, "items", .prior)
        node.items = [1, 2, 3]
        node.items.withUnsafeMutableBufferPointer { _ in node.items = [7] }
      })
  }

  @Test func mutatingInsideOfAMutation() async {
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let node = Node()
        node.items = [3, 2, 1]
        node.items.sort { first, second in
          node.items.append(first)
          return first < second
        }
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (node, recorder) = (Node(), Recorder())
        recorder.observe(node, "items")
        node.items = [3, 2, 1]
        node.items.sort { first, second in
          node.items.append(first)
          return first < second
        }
      })
  }

  @Test func readingInsideOfAMutation() async {
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let node = Node()
        node.items = [3, 2, 1]
        node.items.sort { $0 + node.items.count < $1 }
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (node, recorder) = (Node(), Recorder())
        recorder.observe(node, "items", [])
        node.items = [3, 2, 1]
        node.items.sort { $0 + node.items.count < $1 }
      })
  }

  @Test func codingInsideOfAMutation() async {
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let node = Node()
        node.items = [1]
        node.items.withUnsafeMutableBufferPointer { _ in _ = node.value(forKey: "items") }
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let node = Node()
        node.items = [1]
        node.items.withUnsafeMutableBufferPointer { _ in node.setValue([2], forKey: "items") }
      })
  }

  @Test func aProxyInsideOfAMutation() async {
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let node = Node()
        node.items = [1]
        let proxy = node.mutableArrayValue(forKey: "items")
        node.items.withUnsafeMutableBufferPointer { _ in _ = proxy.count }
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let node = Node()
        node.items = [1]
        let proxy = node.mutableArrayValue(forKey: "items")
        node.items.withUnsafeMutableBufferPointer { _ in proxy.add(2) }
      })
  }

  @Test func observingInsideOfAMutation() async {
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (node, recorder) = (Node(), Recorder())
        node.items = [1]
        node.items.withUnsafeMutableBufferPointer { _ in recorder.observe(node, "items", [.initial, .new]) }
      })
  }

  @Test func changeOfAnotherPropertyWhoseObserverReadsTheMutatedOne() {
    let (node, recorder) = (Node(), Recorder())
    let child = Node("child", child: Node("before"))
    node.child = child
    recorder.observe(node, "child.child.name", [.new, .old, .prior])
    func mutate(_ property: inout Node?) {
      child.child = Node("after")
      #expect(recorder.changes == [.prior(old: "before")])
    }
    mutate(&node.child)
    #expect(recorder.changes == [.prior(old: "before"), .setting(new: "after", old: "before")])
    recorder.unobserve(node, "child.child.name")
  }

  @Test func aChangeThatPutsWhatIsMutatedOnAPath() async {
    expectStop(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (node, child, recorder) = (Node(), Node(), Recorder())
        recorder.observe(node, "child.number")
        func mutate(_ property: inout Int) { node.child = child }
        mutate(&child.number)
      })
  }

  // MARK: Accesses that don't overlap

  @Test(arguments: [nil, [], [.old, .new], .prior] as [NSKeyValueObservingOptions?])
  func observersMayReadAndChangeWhatWasMutated(_ options: NSKeyValueObservingOptions?) {
    let (node, recorder) = (Node(), Recorder())
    if let options { recorder.observe(node, "items", options) }
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      node.items.append(node.items.count)
    }
    node.items.append(7)
    node.items.sort(by: >)
    #expect(node.items == (options == nil ? [7] : options == .prior ? [7, 0] : [7, 1]))
  }

  @Test func aMutationThatThrowsEndsItsAccess() {
    struct Failure: Error {}
    func fail(_ items: inout [Int]) throws {
      items.append(1)
      throw Failure()
    }
    for isObserved in [false, true] {
      let (node, recorder) = (Node(), Recorder())
      if isObserved { recorder.observe(node, "items") }
      recorder.whenCalled = { _, _ in _ = node.items.count }
      #expect(throws: Failure.self) { try fail(&node.items) }
      #expect(recorder.take() == (isObserved ? [.setting(new: [1], old: [Int]())] : []))
      node.items = [2]
      #expect(node.items == [2])
    }
  }

  @Test func anObserverThatJoinsDuringAMutation() {
    let (node, recorder) = (Node(), Recorder())
    node.items = [2, 1]
    node.items.sort { first, second in
      if node.registrationCount == 0 { recorder.observe(node, "items") }
      return first < second
    }
    #expect(recorder.take() == [])
    node.items.append(3)
    #expect(recorder.take() == [.setting(new: [1, 2, 3], old: [1, 2])])
  }

  @Test func theLastObserverLeavesDuringAMutation() {
    let (node, recorder) = (Node(), Recorder())
    node.items = [2, 1]
    recorder.observe(node, "items", [])
    node.items.sort { first, second in
      if node.registrationCount > 0 { recorder.unobserve(node, "items") }
      return first < second
    }
    #expect(recorder.take() == [])
    #expect(node.items == [1, 2])
  }

  @Test func propertiesWithoutSizeAreNoNeighborsOfOthers() {
    let model = Empties()
    func mutate(_ number: inout Int) {
      model.setValue((), forKey: "first")
      _ = model.value(forKey: "first")
      number += 1
    }
    mutate(&model.number)
    #expect(model.number == 1)
  }
}

/// A model with a property that has the address of another.
private final class Empties: KeyValueObject {
  @Observed var first: Void = ()
  @Observed var number = 0
}
