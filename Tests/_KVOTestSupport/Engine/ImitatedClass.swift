#if !canImport(ObjectiveC)
import KVOController

/// What the runtime of Objective-C has of a class that a ``ForeignNode`` imitates: the properties that it lists, and the getters of
/// others, which are methods only.
public final class ImitatedClass: Sendable {
  private let keys: [PropertyIdentity: String]

  /// - Parameters:
  ///   - properties: The listed properties, each with the name of its getter if it isn't the property's.
  ///   - methods: The getters of those that aren't listed.
  ///   - getters: The names of the getters, with the Swift properties that stand for them.
  package init(
    properties: KeyValuePairs<String, String?> = [:], methods: [String] = [], getters: [String: AnyKeyPath],
    inheritsFrom superclass: ImitatedClass? = nil
  ) {
    var listed = properties.map { (getter: $0.value ?? $0.key, key: $0.key) }
    listed += methods.map { (getter: $0, key: Self.key($0)) }
    let own = getters.compactMap { getter, keyPath -> (PropertyIdentity, String)? in
      guard let identity = PropertyIdentity(of: keyPath) else { return nil }
      return listed.first { $0.getter == getter }.map { (identity, $0.key) }
    }
    keys = (superclass?.keys ?? [:]).merging(own) { $1 }
  }

  /// As `ObjectiveCClass` has it, for names that need no more.
  private static func key(_ getter: String) -> String {
    getter.hasPrefix("is") ? getter.dropFirst(2).prefix(1).lowercased() + getter.dropFirst(3) : getter
  }

  func key(of property: PropertyIdentity) -> String? { keys[property] }
}
#endif
