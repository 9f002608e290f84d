#if !canImport(ObjectiveC)
import CKeyValueObserving

/// A stand-in for Foundation in tests, which records how it is notified.
package protocol FoundationImitation: AnyObject {
  func willChange(_ key: String, _ mutation: Mutation)
  func didChange(_ key: String, _ mutation: Mutation)
  /// Whether the class has a setter of Objective-C for a key.
  func hasSetter(_ key: String) -> Bool
}

extension KeyValueObject {
  /// Shared observers are Foundation's.
  static var hearsOfSharedObservers: Void { () }

  private static let imitation = AssociationKey()

  /// Lets `imitation` take Foundation's place.
  ///
  /// - Parameter isHidden: Whether it registers its observers without calling the object.
  package final func willBeObserved(by imitation: any FoundationImitation, isHidden: Bool = false) {
    associate(imitation, Self.imitation, replacing: true)
    if !isHidden { willBeObservedByFoundation() }
  }

  package final var foundationImitation: (any FoundationImitation)? {
    isObservedByFoundation ? associatedObject(Self.imitation) as? any FoundationImitation : nil
  }

  final func hasSetterOfFoundation(_ key: String) -> Bool { foundationImitation?.hasSetter(key) == true }

  final func hasMutatorsOfFoundation(_ key: String) -> Bool { false }

  final func hasHiddenObservers(settingThrough key: String) -> Bool {
    (associatedObject(Self.imitation) as? any FoundationImitation)?.hasSetter(key) == true
  }

  final func isSetThroughFoundation(_ key: String) -> Bool { hasSetterOfFoundation(key) }
}
#endif
