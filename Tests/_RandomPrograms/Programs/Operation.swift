import KVOController

/// The operations of a program, with numbers for nodes, so that two worlds can perform the same ones.
indirect enum Operation {
  /// How a property is set.
  enum Way { case setter, keyedValue, keyedPath }

  /// A change of a property where it lies.
  enum Mutation {
    case add(Int), addToMaybe(Int), appendItem(Int), popItem, sortItems, appendKid(Reference), insertTag(Int)
  }

  /// A change through the proxy of an array, with places that are taken modulo what is there.
  enum ArrayEdit {
    case add([Operand]), insert([Operand], at: [Int]), remove(at: [Int]), replace(at: [Int], with: [Operand])
    case removeLast, removeAll, setArray([Operand])
  }

  enum SetEdit { case union, minus, intersect, set }

  enum OrderedSetEdit { case add(Int), insert(Int, at: Int), remove(at: Int), replace(at: Int, with: Int) }

  case set(Target, Key, Operand, Way)
  case mutate(Target, Mutation)
  case editArray(Target, Key, ArrayEdit)
  case editSet(Target, SetEdit, [Int])
  case editOrderedSet(Target, OrderedSetEdit)
  /// A pair; between its halves other things happen, and then the property is set if there is an operand.
  case pair(Target, Key, Operand?, inside: [Operation])
  case will(Target, Key)
  case did(Target, Key)
  case indexedPair(Target, Key, ArrayEdit)
  case setPair(Target, SetEdit, [Int])
  case observe(id: Int, Target, Path, NSKeyValueObservingOptions, Listener)
  case unobserve(id: Int, withoutContext: Bool)
  case dropObserver(Int)
  /// Replaces a node with a new one, so that the former loses an owner.
  case renew(slot: Int, id: Int)
  case control(ControllerOperation)
}

/// A node: in a place, or from there a few steps as far as there is one.
struct Target: CustomStringConvertible {
  let slot: Int
  let hops: [Key]

  var description: String { ([".\(slot)"] + hops.map(\.rawValue)).joined(separator: ".") }
}

/// A node as a value.
enum Reference {
  case none
  case slot(Int)
  case new(Int)
}

/// Something to set a property to.
enum Operand {
  case null
  case int(Int)
  case text(String)
  case reference(Reference)
  case ints([Int])
  case references([Reference])
}

/// The observer.
enum Listener {
  case observer(Int)
  /// A node in a place observes.
  case slot(Int)
  /// A closure, by a Swift key path.
  case closure
}

/// An operation, and what the first callbacks during it do.
struct Step {
  let operation: Operation
  var script: [Operation]
}
