#if !canImport(ObjectiveC)
@_spi(Reflection) import Swift

extension ObservedField {
  /// The `@Observed` properties of the class of `object` and its superclasses, the superclasses' first.
  static func fields(of object: KeyValueObject) -> [ObservedField] {
    fields(of: type(of: object))
  }

  /// The `@Observed` properties of a class and its superclasses, the superclasses' first.
  static func fields(of type: KeyValueObject.Type) -> [ObservedField] {
    var fields: [ObservedField] = []
    let inClasses = _EachFieldOptions(rawValue: 1)
    _ = _forEachField(of: type, options: inClasses) { name, offset, type, _ in
      if let property = type as? any ObservedProperty.Type {
        // The storage of a wrapped property has the property's name after an underscore.
        fields.append(property.field(name: String(cString: name + 1), offset: offset))
      }
      return true
    }
    return fields
  }
}
#endif
