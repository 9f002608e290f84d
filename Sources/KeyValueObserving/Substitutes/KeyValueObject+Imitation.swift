#if !canImport(ObjectiveC)
import CKeyValueObserving

/// What tests put in the place of Foundation, to see what it is told.
package protocol FoundationImitation: AnyObject {
  func willChange(_ key: String)
  func didChange(_ key: String)
  /// Whether the class has a setter of Objective-C for a key.
  func hasSetter(_ key: String) -> Bool
}

extension KeyValueObject {
  private static let imitation = AssociationKey()

  /// Lets `imitation` take Foundation's place.
  package final func willBeObserved(by imitation: any FoundationImitation) {
    associate(imitation, Self.imitation, replacing: true)
    willBeObservedByFoundation()
  }

  final var foundationImitation: (any FoundationImitation)? {
    isObservedByFoundation ? associatedObject(Self.imitation) as? any FoundationImitation : nil
  }

  final func hasSetterOfFoundation(_ key: String) -> Bool { foundationImitation?.hasSetter(key) == true }

  final func isSetThroughFoundation(_ key: String) -> Bool { hasSetterOfFoundation(key) }
}
#endif
