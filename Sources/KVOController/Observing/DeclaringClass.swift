/// A class of Objective-C, as far as its properties are identified by the selectors of their getters.
protocol DeclaringClass {
  /// The properties that the class itself declares, each with the name of its getter if it isn't the property's.
  var declaredProperties: [(name: String, customGetter: String?)] { get }

  var superclass: Self? { get }

  /// What identifies a property whose getter has this name.
  static func identity(ofGetter name: String) -> PropertyIdentity
}

extension DeclaringClass {
  /// The name of a property of the class or of a superclass, the nearest one first; nil if none has it.
  func name(of identity: PropertyIdentity) -> String? {
    var next: Self? = self
    while let type = next {
      let property = type.declaredProperties.first { Self.identity(ofGetter: $0.customGetter ?? $0.name) == identity }
      if let property { return property.name }
      next = type.superclass
    }
    return nil
  }
}

extension PropertyIdentity {
  /// That of a property of Objective-C, with the address of its getter's selector.
  init(ofSelectorAt address: UInt) { self.init(address: address) }
}
