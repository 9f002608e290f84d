#if !canImport(ObjectiveC)
import KVOController

/// Creates the foreign nodes of a chain.
struct ForeignChainNodes: Sendable {
  private let ledger = ForeignLedger.current

  func node() -> any ChainNode { ForeignNode(in: ledger) }
}

extension ForeignNode: ChainNode {
  package var name: String {
    get { self["name"] as? String ?? "" }
    set { self["name"] = newValue }
  }

  package var number: Int {
    get { self["number"] as? Int ?? 0 }
    set { self["number"] = newValue }
  }

  package var items: [Int] {
    get { self["items"] as? [Int] ?? [] }
    set { self["items"] = newValue }
  }

  package var anyChild: KeyValueObservable? {
    get { self["child"] as? KeyValueObservable }
    set { self["child"] = newValue }
  }
}
#endif
