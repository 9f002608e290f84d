#if !canImport(ObjectiveC)
/// What a class says of one of its keys by typed key paths.
struct KeyCustomization {
  let notifiesAutomatically: Bool
  /// The affecting keys whose names are known, so that what they depend on counts too.
  private(set) var affectingNames: Set<String> = []
  /// All other affecting key paths: reading them shows what they lead through.
  private(set) var affectingReads: [@Sendable (KeyValueObject) -> Any?] = []

  /// Asks `type`; nil if it says nothing by typed key paths, or the key has none that is known.
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
          because: "it doesn't begin at a class that descends from KeyValueObject", remedy: "Begin it at \(type).")
      }
    }
  }
}
#endif
