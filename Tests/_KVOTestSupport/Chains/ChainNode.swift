import KVOController

/// A link of key paths, of the engine's own or foreign.
package protocol ChainNode: KeyValueObservable, Sendable {
  var name: String { get set }
  var number: Int { get set }
  var items: [Int] { get set }
  /// The value for the key `child`.
  var anyChild: KeyValueObservable? { get set }
}

extension ChainNode {
  package var child: (any ChainNode)? {
    get { anyChild as? any ChainNode }
    set { anyChild = newValue }
  }
}

/// One that the engine observes.
package final class OwnChainNode: KeyValueObject, ChainNode, @unchecked Sendable {
  @Observed package var name = ""
  @Observed package var number = 0
  @Observed package var items: [Int] = []
  @Observed private var child: KeyValueObservable?

  package var anyChild: KeyValueObservable? {
    get { child }
    set { child = newValue }
  }
}
