#if canImport(ObjectiveC)
import ObjectiveC

extension ObservedField {
  /// The `@Observed` properties of the class of `object` and its superclasses, the superclasses' first.
  ///
  /// The runtime knows the offsets, the mirror the types. A class with a mirror of its own making hides its properties;
  /// list them in `keyPaths` then.
  static func fields(of object: KeyValueObject) -> [ObservedField] {
    var fields: [ObservedField] = []
    var next: Mirror? = Mirror(reflecting: object)
    while let mirror = next, let type = mirror.subjectType as? KeyValueObject.Type {
      for child in mirror.children.reversed() {
        // The storage of a wrapped property is named after it, with an underscore before.
        guard let label = child.label, let property = Swift.type(of: child.value) as? any ObservedProperty.Type,
          let variable = class_getInstanceVariable(type, label)
        else { continue }
        fields.append(property.field(name: String(label.dropFirst()), offset: ivar_getOffset(variable)))
      }
      next = mirror.superclassMirror
    }
    return fields.reversed()
  }
}
#endif
