#if !canImport(ObjectiveC)
import KVOController

/// What the runtime of Objective-C has of a class that a ``ForeignNode`` imitates: the properties that it lists, and the getters of
/// others, which are methods only.
public final class ImitatedClass: DeclaringClass, Sendable {
  package let declaredProperties: [(name: String, customGetter: String?)]
  package let superclass: ImitatedClass?
  private let methods: [String]
  private let getters: [PropertyIdentity: String]

  /// - Parameters:
  ///   - properties: The listed properties, each with the name of its getter if it isn't the property's.
  ///   - methods: The getters of those that aren't listed.
  ///   - getters: The names of the getters, with the Swift properties that stand for them.
  package init(
    properties: KeyValuePairs<String, String?> = [:], methods: [String] = [], getters: [String: AnyKeyPath],
    inheritsFrom superclass: ImitatedClass? = nil
  ) {
    declaredProperties = properties.map { ($0.key, $0.value) }
    self.methods = methods
    self.superclass = superclass
    let own = getters.compactMap { name, keyPath in PropertyIdentity(of: keyPath).map { ($0, name) } }
    self.getters = (superclass?.getters ?? [:]).merging(own) { $1 }
  }

  package func declaredGetter(_ identity: PropertyIdentity) -> String? {
    methods.first { Self.identity(ofGetter: $0) == identity }
  }

  package static func identity(ofGetter name: String) -> PropertyIdentity {
    PropertyIdentity(address: UInt(bitPattern: name.hashValue))
  }

  func key(of property: PropertyIdentity) -> String? {
    getters[property].flatMap { name(of: Self.identity(ofGetter: $0)) }
  }
}
#endif
