/// The outcome of an edit of an array: the notification, and the resulting array.
struct ArrayPlan<Element> {
  let change: ModelChange.Kind
  let result: [Element]

  private init(_ change: ModelChange.Kind, _ result: [Element]) {
    self.change = change
    self.result = result
  }

  static func setting(_ result: [Element]) -> ArrayPlan { ArrayPlan(ModelChange.Kind(), result) }

  /// Nil where there is nothing to insert.
  static func inserting(_ new: [Element], at indexes: [Int], into old: [Element]) -> ArrayPlan? {
    guard !new.isEmpty else { return nil }
    var result = old
    for (index, element) in zip(indexes, new) { result.insert(element, at: index) }
    return ArrayPlan(ModelChange.Kind(kind: .insertion, indexes: indexes), result)
  }

  static func removing(at indexes: [Int], from old: [Element]) -> ArrayPlan? {
    guard !indexes.isEmpty else { return nil }
    var result = old
    for index in indexes.reversed() { result.remove(at: index) }
    return ArrayPlan(ModelChange.Kind(kind: .removal, indexes: indexes), result)
  }

  static func replacing(at indexes: [Int], in old: [Element], with new: [Element]) -> ArrayPlan? {
    guard !indexes.isEmpty else { return nil }
    var result = old
    for (index, element) in zip(indexes, new) { result[index] = element }
    return ArrayPlan(ModelChange.Kind(kind: .replacement, indexes: indexes), result)
  }
}
