#if !canImport(ObjectiveC)
extension KeyValueObject {
  // MARK: What Foundation knows of a class

  /// Shared observers are Foundation's.
  static var hearsOfSharedObservers: Void { () }

  final func hasMutatorsOfFoundation(_ key: String) -> Bool { false }

  final func isSetThroughFoundation(_ key: String) -> Bool { hasSetterOfFoundation(key) }
}

#if KVO_STAND_INS
/// What takes Foundation's place where it has no Key-Value Observing, for the tests of what objects tell Foundation: on Apple
/// platforms it has registered observers with the object, and is notified of each change. Only their builds have one.
package protocol FoundationStandIn: AnyObject {
  func willChange(_ key: String, _ mutation: Mutation)
  func didChange(_ key: String, _ mutation: Mutation)
  /// Whether the class has a setter of Objective-C for a key, in which Foundation notifies by itself.
  func hasSetter(_ key: String) -> Bool
}

/// What takes Foundation's place behind a ``ChangeRelay``, in its tests.
package protocol RelayedKeyStandIn: RelayedKey {
  /// Calls a handler for each change with what Foundation's dictionaries contain. Returns what ends that.
  func observe(
    _ options: NSKeyValueObservingOptions, _ handler: @escaping ([NSKeyValueChangeKey: Any]) -> Void
  ) -> () -> Void
}

package enum RelayedKeys {
  package typealias MakeStandIn =
    @Sendable (_ value: @escaping () -> Any?, _ whenUnobserved: @escaping () -> Void) -> any RelayedKeyStandIn

  private static let current = LockedState<MakeStandIn?>(nil)

  /// Makes a key that has a value; nil if the engine calls closures itself, as it does outside of tests.
  package static var makeStandIn: MakeStandIn? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}

extension KeyValueObject {
  private static let standIn = AssociationKey()

  /// Lets `standIn` take Foundation's place; if `isHidden`, it registers its observers without calling the object.
  package final func willBeObserved(by standIn: any FoundationStandIn, isHidden: Bool = false) {
    associate(standIn, Self.standIn, replacing: true)
    if !isHidden { willBeObservedByFoundation() }
  }

  package final var foundationStandIn: (any FoundationStandIn)? {
    isObservedByFoundation ? associatedObject(Self.standIn) as? any FoundationStandIn : nil
  }

  final func notifyStandIn(_ edge: Edge, _ key: String, _ mutation: Mutation) {
    guard let standIn = foundationStandIn else { return }
    switch edge {
    case .before: standIn.willChange(key, mutation)
    case .after: standIn.didChange(key, mutation)
    }
  }

  final func hasSetterOfFoundation(_ key: String) -> Bool { foundationStandIn?.hasSetter(key) == true }

  final func hasHiddenObservers(settingThrough key: String) -> Bool {
    (associatedObject(Self.standIn) as? any FoundationStandIn)?.hasSetter(key) == true
  }
}
#else
extension KeyValueObject {
  @inline(__always)
  final func notifyStandIn(_ edge: Edge, _ key: String, _ mutation: Mutation) {}

  final func hasSetterOfFoundation(_ key: String) -> Bool { false }

  final func hasHiddenObservers(settingThrough key: String) -> Bool { false }
}
#endif
#endif
