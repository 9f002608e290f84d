#if !canImport(ObjectiveC)
/// nil reads as the empty collection; an edit makes it one.
extension Optional: ObjectCollection where Wrapped: ToManyStorage {
  private var collection: Wrapped { self ?? Wrapped.empty }

  var allObjects: [Any] { collection.allObjects }

  func objects(at indexes: IndexSet) -> [Any] { collection.objects(at: indexes) }
}

extension Optional: ToManyCollection, ToManyStorage where Wrapped: ToManyStorage {
  static var empty: Wrapped? { Wrapped.empty }
  var form: ToManyForm { collection.form }
  var objectCount: Int { self?.objectCount ?? 0 }
  var elementType: Any.Type { collection.elementType }

  func object(at index: Int) -> Any { collection.object(at: index) }

  func index(equalTo object: Any, in range: Range<Int>) -> Int? { collection.index(equalTo: object, in: range) }

  func element(equalTo object: Any) -> Any? { collection.element(equalTo: object) }

  func element(convertedFrom object: Any) -> Any? { collection.element(convertedFrom: object) }

  mutating func apply(_ edit: ToManyEdit) -> Any {
    if self == nil { self = Wrapped.empty }
    return self?.apply(edit) ?? ()
  }
}
#endif
