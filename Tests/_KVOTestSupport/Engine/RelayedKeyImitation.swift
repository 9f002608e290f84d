#if !canImport(ObjectiveC)
import KVOController

/// A key whose changes are relayed, in the manner of Foundation, which observes it on Apple platforms.
///
/// - The value is read at the beginning and at the end of each change, and when it is observed with `.initial`.
/// - An end that no beginning on the same thread precedes is ignored.
/// - What a change contains is taken from the whole collection at the indexes.
package final class RelayedKeyImitation: RelayedKeyStandIn {
  /// Whether the environment says that closures are called through relays.
  private static let isUsed = ProcessInfo.processInfo.environment["KVO_FOUNDATION_REGISTERS"] != nil

  /// Lets relays call closures from now on, if the environment says so.
  package static func useIfRequested() {
    if isUsed { use() }
  }

  package static func use() { RelayedKeys.makeStandIn = { RelayedKeyImitation($0) } }

  private let value: () -> Any?
  private var options: NSKeyValueObservingOptions = []
  private var handler: ([NSKeyValueChangeKey: Any]) -> Void = { _ in }
  /// The threads' open changes, with the dictionaries of their beginnings.
  private let changes = Locked<[(thread: Thread, change: [NSKeyValueChangeKey: Any])]>([])

  init(_ value: @escaping () -> Any?) {
    self.value = value
  }

  package func observe(
    _ options: NSKeyValueObservingOptions, _ handler: @escaping ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    (self.options, self.handler) = (options, handler)
    guard options.contains(.initial) else { return }
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
    if options.contains(.new) { change[.newKey] = read(nil) }
    handler(change)
  }

  package func willChange(_ kind: NSKeyValueChange, at indexes: IndexSet?) {
    let kind = indexes == nil ? .setting : kind
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
    if let indexes { change[.indexesKey] = indexes }
    if options.contains(.old), kind != .insertion { change[.oldKey] = read(indexes) }
    changes.withLock { $0.append((.current, change)) }
    guard options.contains(.prior) else { return }
    change[.notificationIsPriorKey] = true
    handler(change)
  }

  package func didChange(_ kind: NSKeyValueChange, at indexes: IndexSet?) {
    let open = changes.withLock { changes in
      changes.lastIndex { $0.thread === Thread.current }.map { changes.remove(at: $0).change }
    }
    guard var change = open else { return }
    if options.contains(.new), indexes == nil || kind != .removal { change[.newKey] = read(indexes) }
    handler(change)
  }

  /// The value, or the objects at indexes of a collection.
  private func read(_ indexes: IndexSet?) -> Any {
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
#endif
