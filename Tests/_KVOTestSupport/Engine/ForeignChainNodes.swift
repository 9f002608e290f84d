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

extension KeyValueObject {
  /// Registers `observer` with the engine, if `object` is foreign: with an object itself, Foundation registers.
  ///
  /// - Returns: Whether it is.
  package final func observeForeign(
    _ object: KeyValueObject, _ keyPath: String, _ options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) -> Bool {
    guard object is ForeignNode else { return false }
    kvoControllerNonRetaining.observe(
      object, keyPath: keyPath, options: options, identifier: UInt(bitPattern: context)
    ) { observer, object, change in
      var change = change
      change[.keyPathKey] = nil
      (observer as? KeyValueObject)?.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
    return true
  }

  /// Ends what ``observeForeign(_:_:_:context:)`` has registered.
  package final func unobserveForeign(
    _ object: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer?
  ) -> Bool {
    guard object is ForeignNode else { return false }
    kvoControllerNonRetaining.unobserve(object, keyPath: keyPath, identifier: UInt(bitPattern: context))
    return true
  }
}
#endif
