/// The property of which a proxy is a view. Each edit of its collection sends one notification.
///
/// - An ``Observed`` property that `keyPaths` doesn't list is read and edited in its storage: one of Swift's
///   collections in place, any other as a copy.
/// - For any other key, Key-Value Coding reads the value and sets an edited copy. The setter of a listed `Observed`
///   property notifies of the edit, otherwise the proxy does.
struct ToManyProperty {
  let object: KeyValueObject
  let key: String
  let kind: CollectionKind
  private let field: ObservedField?
  private let listed: OpenedKeyPath?

  init(_ object: KeyValueObject, _ key: String, _ kind: CollectionKind) {
    self.object = object
    self.key = key
    self.kind = kind
    field = object.properties.field(key)
    listed = object.properties.listed[key]
  }

  /// The current value. If it is retained while the property is edited, the property has to copy its elements.
  var collection: any ToManyCollection {
    let value = currentValue ?? kind.emptyCollection(for: listed?.valueType ?? field?.valueType)
    guard let collection = value as? any ToManyCollection, (kind == .set) == (collection.kind == .set) else {
      refuse(value)
    }
    return collection
  }

  private var currentValue: Any? {
    let value: Any?
    if let field, listed == nil {
      object.reportRead(ofKey: key)
      value = object.value(of: field)
    } else {
      value = object.value(forKey: key).flatMap(unwrapped)
    }
    // A cast to an object would bridge a collection of Swift's.
    return value.flatMap { type(of: $0) == NSNull.self ? nil : $0 }
  }

  /// Whether a collection that is the value of the property contains each object once.
  func isUnique(_ collection: any ToManyCollection) -> Bool { kind == .orderedSet || collection.kind == .orderedSet }

  /// Makes the edit that `edit` returns for the current collection, and notifies observers.
  func edit(_ edit: (any ToManyCollection) -> CollectionEdit?) {
    // The collection is released first, because it would be copied otherwise.
    if let edit = edit(collection) { make(edit) }
  }

  private func make(_ edit: CollectionEdit) {
    guard let field else {
      return object.change(key, edit.mutation, isSetter: true) {
        object.setValue(collection(after: edit), forKey: key)
      }
    }
    if listed != nil {
      let collection = collection(after: edit)
      _ = ThreadFrame.run(.assigning(object.address(of: field), edit.mutation)) {
        object.setValue(collection, forKey: key)
      }
    } else {
      object.change(key, edit.mutation, isSetter: false) {
        if field.edit(edit, of: object, { require(edit, count: $0, isLate: true) }) { return }
        let collection = collection(after: edit)
        if case .ready(let assign) = field.assignment(of: collection, notifies: false) {
          assign(object)
        } else {
          object.setValue(collection, forKey: key)
        }
      }
    }
  }

  private func collection(after edit: CollectionEdit) -> any ToManyCollection {
    let collection = collection
    require(edit, count: collection.objectCount, isLate: true)
    return collection.edited(edit)
  }

  func elements(_ objects: [Any], of collection: any ToManyCollection) -> [Any] {
    objects.map { object in
      guard let element = collection.element(convertedFrom: object) else {
        let refused = RefusedValue(object, collection.elementType)
        misuse(
          "Cannot put an object into \(subject)",
          because: refused.reason(collection.elementType), remedy: "Convert the object first. \(refused.text)")
      }
      return element
    }
  }

  // MARK: Misuse

  private var subject: String { "the value for the key \"\(key)\" of <\(debugName(of: object))>" }

  /// Traps if a range isn't within `count` objects.
  func require(_ range: NSRange, count: Int) {
    guard range.location < 0 || range.length < 0 || range.location > count || range.length > count - range.location
    else {
      return
    }
    let (last, isBeyond) = range.location.addingReportingOverflow(max(range.length, 1) - 1)
    refuse(isBeyond ? .max : last, count: count)
  }

  /// Traps if an edit has an index out of range for `count` objects. If `isLate`, it was in range before a `.prior` call.
  func require(_ edit: CollectionEdit, count: Int, isLate: Bool = false) {
    if let index = edit.index(beyond: count) { refuse(index, count: count, isLate: isLate) }
  }

  private func refuse(_ index: Int, count: Int, isLate: Bool = false) -> Never {
    let present = "there \(count == 1 ? "is" : "are") \(counted(count, "object"))"
    misuse(
      "Cannot access the index \(index) of \(subject)",
      because: isLate ? "an observer has changed it in its .prior call, and \(present) now" : present,
      remedy: isLate ? "Don't change the property in a .prior call." : "Check the count first.")
  }

  func requireCount(of objects: [Any], _ count: Int) {
    guard objects.count != count else { return }
    misuse(
      "Cannot put \(counted(objects.count, "object")) into \(subject)",
      because: "the number of indexes is \(count)",
      remedy: "Pass one index for each object.")
  }

  private func refuse(_ value: Any) -> Never {
    let (method, forms) =
      switch kind {
      case .array: ("mutableArrayValue(forKey:)", "an array or an ordered set")
      case .orderedSet: ("mutableOrderedSetValue(forKey:)", "an ordered set or an array")
      case .set: ("mutableSetValue(forKey:)", "a set")
      }
    misuse(
      "Cannot return \(subject) by \(method)", because: "it must be \(forms), but is of type \(type(of: value))",
      remedy: "Call the method for its type.")
  }
}
