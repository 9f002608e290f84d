extension KeyValueObject {
  /// The paths of the keys whose values the object has of its own: those of its `@Observed` properties, the inherited ones
  /// included, and the listed keys that aren't computed from others.
  final var pathsOfOwnKeys: [ObservedPath] {
    let properties = properties
    let stored = properties.fields.map { field -> ObservedPath in
      // A private property may have the same name as one of a subclass, which the name means.
      let isMeant = properties.field(field.name) === field
      return isMeant ? .named(field.name, of: self) : ObservedPath([PathKey(field.name, property: field)])
    }
    let listed = properties.listed.keys.sorted().filter {
      properties.field($0) == nil && properties.key(PathKey($0)).isIndependent
    }
    return stored + listed.map { .named($0, of: self) }
  }
}
