#if !canImport(ObjectiveC)
/// A class that declares, with typed key paths, what its keys depend on and which of them notify automatically.
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
/// Each method is called once for each key, when the key is first observed, with the key path that begins at the class
/// which declares the property. The results are combined with those of `keyPathsForValuesAffectingValue(forKey:)` and
/// `automaticallyNotifiesObservers(forKey:)`.
///
/// > Important: As in Foundation, the methods are called only for keys whose key paths are known: those in `keyPaths`,
/// > and `@Observed` properties that are first observed by a typed key path. For a property that is first observed by
/// > its name, only the methods that take names count, from then on.
public protocol NSKeyValueObservingCustomization: NSObjectProtocol {
  /// The key paths whose changes change the value for `key` too.
  ///
  /// - Returns: Key paths from the same class. A key path that doesn't begin at a ``KeyValueObject`` traps.
  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath>

  /// Whether setters and Key-Value Coding notify observers of `key`. If not, call `willChangeValue(for:)` and
  /// `didChangeValue(for:)` yourself.
  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool
}
#endif
