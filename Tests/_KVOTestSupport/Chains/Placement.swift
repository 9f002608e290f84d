import KVOController

/// Where on a key path there are objects that the engine doesn't observe itself.
package enum Placement: CaseIterable, Sendable {
  case nowhere, head, middle, end, headAndMiddle, headAndEnd, middleAndEnd, everywhere

  /// Whether the object at a place of a path of three keys is foreign.
  package func isForeign(at place: Int) -> Bool {
    switch place {
    case 0: [.head, .headAndMiddle, .headAndEnd, .everywhere].contains(self)
    case 1: [.middle, .headAndMiddle, .middleAndEnd, .everywhere].contains(self)
    default: [.end, .headAndEnd, .middleAndEnd, .everywhere].contains(self)
    }
  }

  /// Those that differ in a path of two keys.
  package static let ofTwoKeys: [Placement] = [.nowhere, .head, .end, .headAndEnd]

  /// Creates the nodes of a chain. Created in the test, it can be used on any thread.
  package var chain: Chain { Chain(self) }

  /// Creates the nodes of key paths, foreign ones where a placement says so.
  package struct Chain: Sendable {
    private let placement: Placement
    private let foreign: ForeignChainNodes

    init(_ placement: Placement) {
      self.placement = placement
      foreign = ForeignChainNodes()
    }

    /// An object at which paths begin.
    package func head(_ name: String = "", number: Int = 0, child: (any ChainNode)? = nil) -> any ChainNode {
      node(placement.isForeign(at: 0), name, number, child)
    }

    /// An object between the first and the last of a path.
    package func middle(_ name: String = "", number: Int = 0, child: (any ChainNode)? = nil) -> any ChainNode {
      node(placement.isForeign(at: 1), name, number, child)
    }

    /// An object with the last key of a path.
    package func end(_ name: String = "", number: Int = 0, child: (any ChainNode)? = nil) -> any ChainNode {
      node(placement.isForeign(at: 2), name, number, child)
    }

    private func node(_ isForeign: Bool, _ name: String, _ number: Int, _ child: (any ChainNode)?) -> any ChainNode {
      let node: any ChainNode = isForeign ? foreign.node() : OwnChainNode()
      (node.name, node.number, node.items, node.child) = (name, number, [], child)
      return node
    }
  }
}
