/// Values without duplicates, in the order of their first occurrence.
///
/// Numbers of different types are equal if their values are, and Foundation's objects are equal to the Swift values
/// that they bridge to, as in Foundation's collections, where everything is an object.
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
        guard let hashable = ObjectBridging.hashable(value) else {
          misuse(
            "Cannot put a value of type \(type(of: value)) into a set", because: "it isn't Hashable: \(value)",
            remedy: "Make the type Hashable.")
        }
        return hashable
      })
  }

  // Without duplicates, because the Foundation of Swift 6.3 creates a corrupt ordered set from an array with
  // duplicates.
  var orderedSet: NSOrderedSet { NSOrderedSet(array: array) }
}
