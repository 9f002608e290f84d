/// The properties of a class that was compiled without reflection metadata, which may be `@Observed`.
///
/// Their types become known when a setter runs while the object is observed. Until then such a property is nil for
/// Key-Value Coding. Only Apple platforms have such classes, because only there the runtime knows names and offsets anyway.
///
/// - Thread safety: The types are guarded by the lock.
package final class UntypedFields: @unchecked Sendable {
  private let names: [Int: String]
  private let lock = Lock()
  private var fields: [String: ObservedField] = [:]

  /// - Parameter variables: The names and offsets, those of superclasses first.
  package init(_ variables: [(name: String, offset: Int)]) {
    names = Dictionary(variables.map { ($0.offset, $0.name) }, uniquingKeysWith: { _, last in last })
  }

  /// Whether there may be a property of that name.
  package func contains(_ name: String) -> Bool { names.values.contains(name) }

  /// The property of that name, if its type is known by now.
  package func field(_ name: String) -> ObservedField? {
    lock.withLock { fields[name] }
  }

  /// The property at an offset, where an `Observed` of a value of that type is stored.
  package func field(atOffset offset: Int, valueType: Any.Type) -> ObservedField? {
    guard let name = names[offset] else { return nil }
    if let field = field(name) { return field }
    func open<Value>(_ type: Value.Type) -> ObservedField { Observed<Value>.field(name: name, offset: offset) }
    let made = open(valueType)
    return lock.withLock {
      if let field = fields[name] { return field }
      fields[name] = made
      return made
    }
  }
}
