extension KeyValueObject {
  /// The keys of the class that can be observed on every platform: those of its stored observed properties, and those
  /// that it lists in ``keyPaths``.
  ///
  /// The keys of superclasses come first, then the properties in the order of their declaration, then the listed keys in
  /// alphabetical order. Each key is there once, even if a class lists the key of a property or overrides one.
  ///
  /// - Complexity: Linear in the number of keys when it is first called for a class, constant afterwards.
  public static var observedKeys: [String] { ClassProperties.of(self).names }
}
