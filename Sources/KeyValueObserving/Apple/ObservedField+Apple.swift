#if canImport(ObjectiveC)
import ObjectiveC

extension ObservedField {
  /// The `@Observed` properties of the class of `object` and its superclasses, the superclasses' first.
  ///
  /// Names and offsets come from the class's list of instance variables. If the class was compiled without reflection
  /// metadata, the types are missing, and the properties are among the ``UntypedFields``.
  static func fields(of object: KeyValueObject) -> [ObservedField] {
    InstanceVariable.all(of: type(of: object)).compactMap { variable in
      (variable.type as? any ObservedProperty.Type)?.field(name: variable.name, offset: variable.offset)
    }
  }
}

/// The storage of a wrapped property, which has the property's name after an underscore.
private struct InstanceVariable {
  let name: String
  let offset: Int
  /// The type; nil if the class was compiled without reflection metadata.
  let type: Any.Type?

  /// The instance variables of a class and its superclasses, the superclasses' first.
  static func all(of type: KeyValueObject.Type) -> [InstanceVariable] {
    var variables: [[InstanceVariable]] = []
    var next: AnyClass? = type
    while let type = next, type != KeyValueObject.self {
      variables.append(declared(by: type))
      next = class_getSuperclass(type)
    }
    return variables.reversed().flatMap { $0 }
  }

  private static func declared(by type: AnyClass) -> [InstanceVariable] {
    var count: UInt32 = 0
    guard let list = class_copyIvarList(type, &count) else { return [] }
    defer { free(list) }
    let types = FieldTypes.declared(by: type)
    return UnsafeBufferPointer(start: list, count: Int(count)).compactMap { variable in
      guard let name = ivar_getName(variable).map({ String(cString: $0) }), name.hasPrefix("_") else { return nil }
      return InstanceVariable(name: String(name.dropFirst()), offset: ivar_getOffset(variable), type: types[name])
    }
  }
}

/// The properties of a class that was compiled without reflection metadata, which may be `@Observed`.
///
/// Their types become known when a setter runs while the object is observed. Until then such a property is nil for
/// Key-Value Coding.
///
/// - Thread safety: The types are guarded by the lock.
final class UntypedFields: @unchecked Sendable {
  private let names: [Int: String]
  private let lock = UnfairLock()
  private var fields: [String: ObservedField] = [:]

  private init(_ type: KeyValueObject.Type) {
    let untyped = InstanceVariable.all(of: type).filter { $0.type == nil }
    names = Dictionary(untyped.map { ($0.offset, $0.name) }, uniquingKeysWith: { _, last in last })
  }

  private static let cache = ClassCache<UntypedFields>()

  static func of(_ object: KeyValueObject) -> UntypedFields {
    cache.value(for: type(of: object)) { UntypedFields(type(of: object)) }
  }

  /// Whether there may be a property of that name.
  func contains(_ name: String) -> Bool { names.values.contains(name) }

  /// The property of that name, if its type is known.
  func field(_ name: String) -> ObservedField? {
    lock.withLock { fields[name] }
  }

  /// The property at an offset, which is an `Observed` of a value of that type.
  func field(atOffset offset: Int, valueType: Any.Type) -> ObservedField? {
    guard let name = names[offset] else { return nil }
    if let field = field(name) { return field }
    func open<Value>(_ type: Value.Type) -> ObservedField { Observed<Value>.field(name: name, offset: offset) }
    let made = open(valueType)
    lock.withLock { fields[name] = made }
    return made
  }
}
#endif
