#if !canImport(ObjectiveC)
@_spi(Reflection) import Swift

extension ObservedField {
  /// The `@Observed` properties of `type` and its superclasses, the superclasses' first.
  static func fields(of type: KeyValueObject.Type) -> [ObservedField] {
    var fields: [ObservedField] = []
    let inClasses = _EachFieldOptions(rawValue: 1)
    _ = _forEachField(of: type, options: inClasses) { name, offset, fieldType, _ in
      if let property = fieldType as? any ObservedProperty.Type {
        // The storage of a wrapped property is named after it, with an underscore before.
        fields.append(ObservedField(name: String(cString: name + 1), offset: offset, property: property))
      }
      return true
    }
    return fields
  }
}
#endif
