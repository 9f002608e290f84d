#if !canImport(ObjectiveC)
/// A class that says by typed key paths what its keys depend on, and which of them notify automatically.
///
///     final class Person: KeyValueObject, NSKeyValueObservingCustomization {
///       @Observed var first = ""
///       @Observed var address: Address?
///       var label: String { "\(first), \(address?.city ?? "")" }
///
///       override class var keyPaths: [String: AnyKeyPath] { ["label": \Person.label] }
///
///       static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
///         key == \Person.label ? [\Person.first, \Person.address?.city] : []
///       }
///
///       static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { true }
///     }
///
/// The class is asked once for each key, when the key is first observed, with the key path that begins at the class
/// which has the property. What it says is added to what `keyPathsForValuesAffectingValue(forKey:)` and
/// `automaticallyNotifiesObservers(forKey:)` say.
///
/// - Important: As in Foundation, only keys can be asked for whose key paths are known: those in `keyPaths`, and
///   `@Observed` properties that were first observed by a typed key path. For one that is first observed by its name
///   the methods that take names speak alone, for good.
public protocol NSKeyValueObservingCustomization: NSObjectProtocol {
  /// The key paths, from the same class, whose changes change the value of `key` too.
  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath>

  /// Whether setters and KVC notify for `key`; if not, pairs of `willChangeValue(for:)` and `didChangeValue(for:)` do.
  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool
}
#endif
