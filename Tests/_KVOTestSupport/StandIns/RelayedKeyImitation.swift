#if KVO_STAND_INS
import KVOController

/// A key whose changes are relayed, in the manner of Foundation, which observes it on Apple platforms.
///
/// - The initial call is made before the observation is inserted.
/// - The value is read at the beginning and at the end of each change.
/// - An end that no beginning on the same thread precedes is ignored.
/// - What a change contains is taken from the whole collection at the indexes.
package final class RelayedKeyImitation: RelayedKeyStandIn, Sendable {
  /// Lets relays call closures from now on.
  static func use() { RelayedKeys.makeStandIn = { RelayedKeyImitation($0, whenUnobserved: $1) } }

  // What a test passes is called on the threads on which it makes changes.
  nonisolated(unsafe) private let value: () -> Any?
  nonisolated(unsafe) private let whenUnobserved: () -> Void
  private let observations = Locked<[Observation]>([])

  init(_ value: @escaping () -> Any?, whenUnobserved: @escaping () -> Void) {
    self.value = value
    self.whenUnobserved = whenUnobserved
  }

  package func observe(
    _ options: NSKeyValueObservingOptions, _ handler: @escaping ([NSKeyValueChangeKey: Any]) -> Void
  ) -> () -> Void {
    let observation = Observation(options, handler)
    if options.contains(.initial) { observation.sendInitial(self) }
    observations.append(observation)
    return { self.remove(observation) }
  }

  private func remove(_ observation: Observation) {
    let isRemoved = observations.withLock { observations in
      observations.firstIndex { $0 === observation }.map { observations.remove(at: $0) } != nil
    }
    if isRemoved { whenUnobserved() }
  }

  package func willChange(_ kind: NSKeyValueChange, at indexes: IndexSet?) {
    for observation in observations.current { observation.willChange(kind, at: indexes, self) }
  }

  package func didChange(_ kind: NSKeyValueChange, at indexes: IndexSet?) {
    for observation in observations.current { observation.didChange(kind, at: indexes, self) }
  }

  /// The value, or the objects at indexes of a collection.
  fileprivate func read(_ indexes: IndexSet?) -> Any {
    guard let value = value() else { return NSNull() }
    guard let indexes else { return value }
    return indexes.map { elements(of: value)[$0] }
  }

  private func elements(of value: Any) -> [Any] {
    switch value {
    case let array as [Any]: array
    case let array as NSArray: array.map { $0 }
    case let set as NSOrderedSet: set.map { $0 }
    default: fatalError("There is no object at an index of a value of type \(type(of: value)).")
    }
  }
}

private final class Observation: Sendable {
  private let options: NSKeyValueObservingOptions
  // It is called on the threads on which the test makes changes.
  nonisolated(unsafe) private let handler: ([NSKeyValueChangeKey: Any]) -> Void
  /// The threads' open changes, with the dictionaries of their beginnings.
  private let changes = Locked<[(thread: Thread, change: [NSKeyValueChangeKey: Any])]>([])

  init(_ options: NSKeyValueObservingOptions, _ handler: @escaping ([NSKeyValueChangeKey: Any]) -> Void) {
    (self.options, self.handler) = (options, handler)
  }

  func sendInitial(_ key: RelayedKeyImitation) {
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
    if options.contains(.new) { change[.newKey] = key.read(nil) }
    handler(change)
  }

  func willChange(_ kind: NSKeyValueChange, at indexes: IndexSet?, _ key: RelayedKeyImitation) {
    let kind = indexes == nil ? .setting : kind
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
    if let indexes { change[.indexesKey] = indexes }
    if options.contains(.old), kind != .insertion { change[.oldKey] = key.read(indexes) }
    changes.withLock { $0.append((.current, change)) }
    guard options.contains(.prior) else { return }
    change[.notificationIsPriorKey] = true
    handler(change)
  }

  func didChange(_ kind: NSKeyValueChange, at indexes: IndexSet?, _ key: RelayedKeyImitation) {
    let open = changes.withLock { changes in
      changes.lastIndex { $0.thread === Thread.current }.map { changes.remove(at: $0).change }
    }
    guard var change = open else { return }
    if options.contains(.new), indexes == nil || kind != .removal { change[.newKey] = key.read(indexes) }
    handler(change)
  }
}
#endif
