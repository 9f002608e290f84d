/// The mutations of the proxies of sets. Each method sends one notification, even if it has no effect.
///
/// The collection isn't retained while it is edited, because it would then be copied.
struct SetMutations {
  let target: ToManyProperty

  var count: Int { target.count }
  var objects: [Any] { target.objects }
  func element(equalTo object: Any) -> Any? { target.collection.element(equalTo: object) }

  func union(_ objects: [Any]) {
    let elements = target.elements(objects)
    make(.union, elements, .exchange(removing: [], adding: elements))
  }

  func minus(_ objects: [Any]) {
    let members = members(among: objects)
    make(.minus, members, .exchange(removing: members, adding: []))
  }

  func intersect(_ objects: [Any]) {
    let kept = members(among: objects)
    let identities = Set(kept.map(ObjectBridging.identity))
    let removed = self.objects.filter { !identities.contains(ObjectBridging.identity(of: $0)) }
    make(.intersect, kept, .exchange(removing: target.elements(removed), adding: []))
  }

  func set(_ objects: [Any]) {
    let elements = target.elements(objects)
    make(.set, elements, .assign(elements))
  }

  private func make(_ kind: NSKeyValueSetMutationKind, _ elements: [Any], _ edit: CollectionEdit) {
    let objects = elements.compactMap { ObjectBridging.object($0) as? AnyHashable }
    target.make(.unordered(kind, Set(objects)), edit)
  }

  /// The elements of the collection that are equal to one of `objects`.
  private func members(among objects: [Any]) -> [Any] {
    let collection = target.collection
    return target.elements(objects.compactMap { collection.element(equalTo: $0) })
  }
}
