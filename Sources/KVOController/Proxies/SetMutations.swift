/// The mutations of the proxies of sets, which is created and released as ``OrderedMutations`` is. Each sends one
/// notification, even if it has no effect.
struct SetMutations {
  private let property: ToManyProperty
  private let collection: any ToManyCollection

  /// Reads the set.
  init(_ property: ToManyProperty) {
    self.property = property
    collection = property.collection
  }

  var count: Int { collection.objectCount }

  var objects: [Any] { collection.objects }

  func element(equalTo object: Any) -> Any? { collection.element(equalTo: object) }

  func union(_ objects: [Any]) -> CollectionChange {
    let elements = elements(objects)
    return change(.union, elements, .exchange(removing: [], adding: elements))
  }

  func minus(_ objects: [Any]) -> CollectionChange {
    let members = members(among: objects)
    return change(.minus, members, .exchange(removing: members, adding: []))
  }

  func intersect(_ objects: [Any]) -> CollectionChange {
    let kept = members(among: objects)
    let identities = Set(kept.map(ObjectBridging.identity))
    let removed = self.objects.filter { !identities.contains(ObjectBridging.identity(of: $0)) }
    return change(.intersect, kept, .exchange(removing: elements(removed), adding: []))
  }

  func set(_ objects: [Any]) -> CollectionChange {
    let elements = elements(objects)
    return change(.set, elements, .assign(elements))
  }

  private func change(_ kind: NSKeyValueSetMutationKind, _ elements: [Any], _ edit: CollectionEdit) -> CollectionChange
  {
    let objects = elements.compactMap { ObjectBridging.object($0) as? AnyHashable }
    return CollectionChange(mutation: .unordered(kind, Set(objects)), edit: edit)
  }

  private func elements(_ objects: [Any]) -> [Any] { property.elements(objects, of: collection) }

  /// The elements of the collection that are equal to one of `objects`.
  private func members(among objects: [Any]) -> [Any] {
    elements(objects.compactMap { collection.element(equalTo: $0) })
  }
}
