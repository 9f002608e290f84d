#if !canImport(ObjectiveC)
import Foundation
import KVOController
import _KVOTestSupport
import _RandomPrograms
import Testing

/// Accesses chosen by chance inside of others: overlapping ones trap, and those of other properties do not.
///
/// `KVO_SEED` in the environment repeats a run.
@Suite struct RandomAccessTests {
  /// A mutation in place, during which something else runs.
  enum Mutation: CaseIterable {
    case buffer, sort, parameter

    func run(on node: Node, _ body: () -> Void) {
      func mutate(_ items: inout [Int]) { body() }
      switch self {
      case .buffer: node.items.withUnsafeMutableBufferPointer { _ in body() }
      case .sort:
        node.items.sort {
          body()
          return $0 < $1
        }
      case .parameter: mutate(&node.items)
      }
    }
  }

  /// An access of the mutated property, or of another one.
  enum Access: CaseIterable {
    case read, set, append, codedRead, codedSet, pathRead, proxyRead, proxyEdit, initial

    func run(on node: Node) {
      switch self {
      case .read: print(node.items.count)
      case .set: node.items = [7]
      case .append: node.items.append(7)
      case .codedRead: _ = node.value(forKey: "items")
      case .codedSet: node.setValue([7], forKey: "items")
      case .pathRead: _ = node.value(forKeyPath: "items.@count")
      case .proxyRead: _ = node.mutableArrayValue(forKey: "items").count
      case .proxyEdit: node.mutableArrayValue(forKey: "items").add(7)
      case .initial: Recorder().observe(node, "items", [.initial, .new])
      }
    }

    func runElsewhere(on node: Node) {
      switch self {
      case .read: print(node.number)
      case .set: node.number = 7
      case .append: node.number += 7
      case .codedRead: _ = node.value(forKey: "number")
      case .codedSet: node.setValue(7, forKey: "number")
      case .pathRead: _ = node.value(forKeyPath: "child.number")
      case .proxyRead: _ = node.child?.mutableArrayValue(forKey: "items").count
      case .proxyEdit: node.child?.mutableArrayValue(forKey: "items").add(7)
      case .initial: node.child?.items.append(7)
      }
    }
  }

  /// Observes with options chosen by chance, or not at all.
  private static func observe(_ node: Node, _ choices: inout Choices) -> Recorder {
    let recorder = Recorder()
    let options = UInt(choices.below(17))
    if options < 16 { recorder.observe(node, "items", NSKeyValueObservingOptions(rawValue: options)) }
    print("KVO_SEED=\(RandomRun.seed), options: \(options)")
    return recorder
  }

  @Test func overlappingAccessesTrap() async {
    for _ in 0..<6 {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent, \.standardOutputContent]
      ) {
        let node = Node()
        node.items = [3, 2, 1]
        var choices = Choices(seed: RandomRun.seed)
        let recorder = RandomAccessTests.observe(node, &choices)
        let (mutation, access) = (choices.pick(Mutation.allCases), choices.pick(Access.allCases))
        print("\(access) inside of \(mutation)")
        fflush(nil)
        mutation.run(on: node) { access.run(on: node) }
        withExtendedLifetime(recorder) {}
      }
      let program = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(
        said("Simultaneous accesses to 0x[0-9a-f]+, but modification requires exclusive access", result), "\(program)")
    }
  }

  @Test(arguments: Mutation.allCases, Access.allCases)
  func accessesOfOtherPropertiesDoNot(mutation: Mutation, access: Access) {
    let node = Node("", child: Node())
    node.items = [3, 2, 1]
    var choices = Choices(seed: RandomRun.seed)
    let recorder = Self.observe(node, &choices)
    mutation.run(on: node) { access.runElsewhere(on: node) }
    #expect(node.items.sorted() == [1, 2, 3])
    withExtendedLifetime(recorder) {}
  }
}
#endif
