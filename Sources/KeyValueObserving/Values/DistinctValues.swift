#if !canImport(ObjectiveC)
/// Values of which none equals another, in the order in which they were first met.
///
/// Numbers of all types are equal if their values are, and Foundation's objects equal the Swift values that they bridge
/// to, as in Foundation's collections where everything is an object.
struct DistinctValues {
  private(set) var array: [Any] = []

  init(_ values: [Any]) {
    var identities: Set<AnyHashable> = []
    for value in values where identities.insert(ObjectBridging.identity(of: value)).inserted {
      array.append(value)
    }
  }

  var set: Set<AnyHashable> {
    Set(
      array.map { value in
        guard let hashable = (value as? Decimal).map(AnyHashable.init) ?? value as? AnyHashable else {
          misuse(
            "Cannot put a value of type \(type(of: value)) into a set", because: "it isn't Hashable: \(value)",
            remedy: "Make the type Hashable.")
        }
        return hashable
      })
  }

  // An ordered set made of an array with duplicates is corrupt in the Foundation of Swift 6.3.
  var orderedSet: NSOrderedSet { NSOrderedSet(array: array) }
}
#endif
