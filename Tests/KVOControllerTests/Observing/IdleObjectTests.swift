import KVOController
import Testing
import _KVOTestSupport

/// An object that was observed once, and whose properties are set often since.
@Suite(.watched) struct IdleObjectTests {
  private static let sets = 200
  private let node = Node()

  init() {
    let recorder = Recorder()
    recorder.observe(node, "number")
    recorder.unobserve(node, "number")
    for number in 0..<Self.sets { node.number = -number }
  }

  @Test func itIsObservedAgain() {
    let recorder = Recorder()
    recorder.observe(node, "number", [.new, .old])
    node.number = 1
    node.number = 2
    #expect(recorder.changes == [Change(.setting, new: 1, old: 1 - Self.sets), Change(.setting, new: 2, old: 1)])
    recorder.unobserve(node, "number")
    node.number = 3
    #expect(recorder.changes.count == 2)
  }

  @Test func aFormerValueMaySetThePropertyInItsDeinit() {
    let keeper = Keeper()
    let recorder = Recorder()
    recorder.observe(keeper, "number")
    recorder.unobserve(keeper, "number")
    for _ in 0..<Self.sets { keeper.value = nil }
    keeper.value = Last { [unowned keeper] in
      keeper.number += 1
      keeper.value = nil
    }
    keeper.value = nil
    #expect(keeper.number == 1 && keeper.value == nil)
  }

  @Test func threadsThatSetItMayEnd() {
    let nodes = (0..<4).map { _ in Node() }
    for round in 0..<(isSanitized ? 10 : 50) {
      onThreads(4) { thread in
        let recorder = Recorder()
        recorder.observe(nodes[thread], "number", [.new])
        recorder.unobserve(nodes[thread], "number")
        for number in 0..<2 * Self.sets { nodes[thread].number = number }
        recorder.observe(nodes[thread], "number", [.new])
        nodes[thread].number = round
        #expect(recorder.changes == [Change(.setting, new: round)])
        recorder.unobserve(nodes[thread], "number")
      }
    }
  }

  @Test func severalPropertiesAreSetAtTheSameTime() {
    let wide = Wide()
    let recorder = Recorder()
    recorder.observe(wide, "third")
    onThreads(3) { thread in
      for number in 1...20_000 {
        switch thread {
        case 0: wide.first = number
        case 1: wide.second = "\(number)"
        default:
          guard number.isMultiple(of: 100) else { continue }
          let observer = Deaf()
          observer.observe(wide, "first", [.initial, .new])
          observer.observe(wide, "second", [.initial, .new])
          observer.unobserve(wide, "first")
          observer.unobserve(wide, "second")
        }
      }
    }
    recorder.unobserve(wide, "third")
    #expect(wide.first == 20_000 && wide.second == "20000")
  }
}

private final class Wide: KeyValueObject, @unchecked Sendable {
  @Observed var first = 0
  @Observed var second = ""
  /// Observed all the time.
  @Observed var third = 0
}

private final class Keeper: KeyValueObject {
  @Observed var number = 0
  @Observed var value: Last?
}

private final class Last {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }

  deinit {
    body()
  }
}
