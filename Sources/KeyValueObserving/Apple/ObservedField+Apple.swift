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

extension UntypedFields {
  private static let cache = ClassCache<UntypedFields>()

  /// Those of the class of `object`.
  static func of(_ object: KeyValueObject) -> UntypedFields {
    let type = Swift.type(of: object)
    return cache.value(for: type) {
      let untyped = InstanceVariable.all(of: type).filter { $0.type == nil }
      return UntypedFields(untyped.map { ($0.name, $0.offset) })
    }
  }
}
#endif
