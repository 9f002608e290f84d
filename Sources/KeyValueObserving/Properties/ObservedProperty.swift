/// An ``Observed`` property whose type is known only at run time.
protocol ObservedProperty {
  static func field(name: String, offset: Int) -> ObservedField
}

extension Observed: ObservedProperty {
  static func field(name: String, offset: Int) -> ObservedField {
    ObservedField(name: name, offset: offset, Self.self)
  }
}
