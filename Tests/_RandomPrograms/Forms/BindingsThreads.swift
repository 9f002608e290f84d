import Foundation
import KVOController

/// Random bindings while two threads set their sources: at rest each target has its source's value, and those that are bound both ways
/// have what a thread has set last. Threads set one side of those at once: both sides need their owner's synchronization.
package enum BindingsThreads {
  /// Runs rounds with so many operations in all, each time with other objects and bindings.
  ///
  /// - Returns: What is wrong; nil if nothing is.
  package static func failure(operations: Int) -> String? {
    RandomRun.failure(operations: operations, inProgramsOf: 16) { choices, steps in
      var world = World(&choices)
      return world.run(&choices, operations: steps.count)
    }
  }

  /// All that it has may be used on any thread.
  private final class Node: KeyValueObject, @unchecked Sendable {
    private let lock = NSLock()
    private var (numbers, node): ([Int], Node?) = ([0, 0], nil)

    override class var keyPaths: [String: AnyKeyPath] {
      ["number": \Node.number, "addend": \Node.addend, "sum": \Node.sum, "child": \Node.child]
    }

    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "sum" ? ["number", "addend"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    var number: Int {
      get { lock.withLock { numbers[0] } }
      set { change("number") { $0.numbers[0] = newValue } }
    }
    var addend: Int {
      get { lock.withLock { numbers[1] } }
      set { change("addend") { $0.numbers[1] = newValue } }
    }
    var sum: Int { lock.withLock { numbers[0] + numbers[1] } }
    var child: Node? {
      get { lock.withLock { node } }
      set { change("child") { $0.node = newValue } }
    }

    /// Notifies without the lock.
    private func change(_ key: String, _ body: (Node) -> Void) {
      willChangeValue(forKey: key)
      lock.withLock { body(self) }
      didChangeValue(forKey: key)
    }
  }

  private enum Source: CaseIterable { case number, sum, childsNumber, bothWays }

  private enum Operation {
    case setNumber(Int, Int)
    case setAddend(Int, Int)
    case setChild(Int, Int)
    case setChildsNumber(Int, Int)
  }

  private struct World {
    private static let count = 4
    private let nodes = (0..<count).map { _ in Node() }
    private let children = (0..<3).map { _ in Node() }
    /// The source of each node but the first one, which comes before it.
    private var bindings: [(source: Int, kind: Source)?] = [nil]
    /// The first of the nodes that are bound both ways, and the one of them that threads set.
    private var heads = [0]
    private var drivers: [Int: Int] = [:]

    init(_ choices: inout Choices) {
      for node in nodes { node.child = choices.pick(children) }
      for target in 1..<Self.count {
        let binding = choices.isOne(in: 5) ? nil : (source: choices.below(target), kind: choices.pick(Source.allCases))
        bindings.append(binding)
        heads.append(binding?.kind == .bothWays ? heads[binding!.source] : target)
        guard let binding else { continue }
        let (source, target) = (nodes[binding.source], nodes[target])
        switch binding.kind {
        case .number: target.bind(source, \.number, to: \.number)
        case .sum: target.bind(source, \.sum, to: \.number)
        case .childsNumber: target.bind(source, \.child!.number, to: \.number)
        case .bothWays: target.bindBothWays(source, \.number, with: \.number)
        }
      }
      for head in Set(heads).sorted() {
        drivers[head] = choices.pick((0..<Self.count).filter { heads[$0] == head })
      }
    }

    /// Whether threads set the number.
    private func isDriven(_ node: Int) -> Bool { isFree(node) && drivers[heads[node]] == node }

    /// Whether nothing else sets the number than the threads, and what is bound both ways.
    private func isFree(_ node: Int) -> Bool { bindings[heads[node]] == nil }

    private func operation(_ choices: inout Choices, _ value: Int) -> Operation {
      let node = choices.below(Self.count)
      switch choices.below(6) {
      case 0: return .setAddend(node, value)
      case 1: return .setChild(node, choices.below(children.count))
      case 2: return .setChildsNumber(choices.below(children.count), value)
      default: return isDriven(node) ? .setNumber(node, value) : .setAddend(node, value)
      }
    }

    private func run(_ operation: Operation) {
      switch operation {
      case .setNumber(let node, let value): nodes[node].number = value
      case .setAddend(let node, let value): nodes[node].addend = value
      case .setChild(let node, let child): nodes[node].child = children[child]
      case .setChildsNumber(let child, let value): children[child].number = value
      }
    }

    mutating func run(_ choices: inout Choices, operations: Int) -> String? {
      let former = heads.map { nodes[$0].number }
      let programs = (0..<2).map { thread in
        (1...operations / 2).map { operation(&choices, $0 * 2 + thread) }
      }
      let (world, group, start) = (self, DispatchGroup(), DispatchSemaphore(value: 0))
      // Only the nodes are used on both threads.
      nonisolated(unsafe) let run = world.run as (Operation) -> Void
      for thread in 0..<2 {
        group.enter()
        Thread.detachNewThread {
          start.wait()
          for operation in programs[thread] { run(operation) }
          group.leave()
        }
      }
      for _ in 0..<2 { start.signal() }
      group.wait()
      for target in 1..<Self.count {
        guard let (source, kind) = bindings[target] else { continue }
        let expected =
          switch kind {
          case .number, .bothWays: nodes[source].number
          case .sum: nodes[source].sum
          case .childsNumber: nodes[source].child!.number
          }
        if nodes[target].number != expected {
          return "\(target) has \(nodes[target].number) instead of \(expected): \(bindings) \(programs)"
        }
      }
      for node in 0..<Self.count where isFree(node) {
        var last: [Int: Int] = [:]
        for (thread, program) in programs.enumerated() {
          for case .setNumber(let other, let value) in program where heads[other] == heads[node] {
            last[other * 2 + thread] = value
          }
        }
        let allowed = last.isEmpty ? [former[node]] : Array(last.values)
        if !allowed.contains(nodes[node].number) {
          return "\(node) has \(nodes[node].number), none of \(allowed): \(bindings) \(programs)"
        }
      }
      return nil
    }
  }
}
