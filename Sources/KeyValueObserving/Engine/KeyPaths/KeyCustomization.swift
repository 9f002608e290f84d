#if !canImport(ObjectiveC)
/// The dependencies of a key that a class declares with typed key paths.
struct KeyCustomization {
  let notifiesAutomatically: Bool
  /// The affecting keys whose names are known, so that their own dependencies are followed too.
  private(set) var affectingNames: Set<String> = []
  /// All other affecting key paths, which are followed by reading them.
  private(set) var affectingReads: [@Sendable (KeyValueObject) -> Any?] = []

  /// Calls `type`. Returns nil if it declares nothing with typed key paths, or if the key's own key path isn't known.
  init?(_ name: String, _ properties: ClassProperties, of type: KeyValueObject.Type) {
    guard let type = type as? any NSKeyValueObservingCustomization.Type,
      let keyPath = ClassKeyPaths.of(properties).keyPath(of: name)
    else { return nil }
    notifiesAutomatically = type.automaticallyNotifiesObservers(for: keyPath)
    for affecting in type.keyPathsAffectingValue(for: keyPath) {
      if let path = ClassKeyPaths.of(properties).path(of: affecting)?.named {
        affectingNames.insert(path.name)
      } else if let declared = DeclaredKeyPath(affecting) {
        affectingReads.append(declared.value)
      } else {
        misuse(
          "Cannot let the key path \(KeyPathNaming.text(of: affecting)) affect the key \"\(name)\" of \(type)",
          because: "it doesn't begin at a class that inherits from KeyValueObject", remedy: "Begin it at \(type).")
      }
    }
  }
}
#endif
