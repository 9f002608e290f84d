#if !canImport(ObjectiveC)
/// An operator in a key path: it makes one value of the collection to its left.
///
/// The key path to its right is that of the elements, all of it: `@avg.items.@count` is the average number of items of
/// the elements. The results are Foundation's, and where its documentation differs, what it really does:
///
/// - Elements whose value is nil add nothing to a sum, count as 0 in an average, are no maximum and no minimum, and are
///   left out of unions. Null (`NSNull`), which stands for a nil element of an array, is taken for nil by numeric
///   operators, for which Foundation raises an exception; unions hold it as they hold every object.
/// - Nothing has the count 0 and the sum 0, but no average, maximum or minimum: they are nil.
/// - Sums and averages are reckoned in decimal, but given as plain `NSNumber`s, integers where they are whole: the
///   Foundation of Swift 6.3 can't hash an `NSDecimalNumber`.
/// - Maximum and minimum are the element's value as it is.
/// - Unions are arrays, distinct unions of a set's elements are sets. Foundation has the others for arrays only.
enum CollectionOperator: String, CaseIterable {
  case avg, count, distinctUnionOfArrays, distinctUnionOfObjects, distinctUnionOfSets, max, min, sum
  case unionOfArrays, unionOfObjects, unionOfSets

  /// What the operator called `name`, which begins with `@`, makes of `collection`; `path` is the key path to its
  /// right.
  static func value(_ name: String, _ path: ArraySlice<String>, of collection: any ToManyCollection) -> Any? {
    guard let known = Self(rawValue: String(name.dropFirst())) else {
      misuse(
        apple: """
          [<\(type(of: collection))> valueForKeyPath:]: this class does not implement the \(name.dropFirst()) \
          operation.
          """,
        remedy: """
          Key path: \(([name] + path).joined(separator: ".")). Use one of the operators of collections: \
          \(allCases.map { "@\($0)" }.joined(separator: ", ")).
          """)
    }
    guard known == .count || !path.isEmpty else {
      misuse(
        "Cannot apply the operator \(name) to a value of type \(type(of: collection))",
        because: "it needs a key path to its right", remedy: "Write \(name).self for the elements themselves.")
    }
    return known.value(path, of: collection)
  }

  private func value(_ path: ArraySlice<String>, of collection: any ToManyCollection) -> Any? {
    let count = collection.objectCount
    var values: [Any] { collection.objects.compactMap { KeyPathReader.value(path, of: $0) } }
    switch self {
    case .count: return NSNumber(value: count)
    case .sum: return sum(values, path).number
    case .avg: return count == 0 ? nil : sum(values, path).divided(by: count).number
    case .max: return extreme(values, .orderedAscending, path)
    case .min: return extreme(values, .orderedDescending, path)
    case .unionOfObjects: return values
    case .distinctUnionOfObjects: return distinct(values, of: collection)
    case .unionOfArrays, .unionOfSets: return joined(values, path)
    case .distinctUnionOfArrays, .distinctUnionOfSets: return distinct(joined(values, path), of: collection)
    }
  }

  private func sum(_ values: [Any], _ path: ArraySlice<String>) -> DecimalSum {
    var sum = DecimalSum()
    for value in values where !Self.isNull(value) && !sum.add(value) {
      refuse(value, path, "numbers")
    }
    return sum
  }

  /// The first of the values that comes in no such order before another.
  private func extreme(_ values: [Any], _ order: ComparisonResult, _ path: ArraySlice<String>) -> Any? {
    values.lazy.filter { !Self.isNull($0) }.reduce(nil) { extreme, value in
      guard let extreme else { return value }
      guard let comparison = ValueOrder.compare(extreme, value) else {
        refuse(value, path, "values that can be compared with each other, such as \(type(of: extreme))")
      }
      return comparison == order ? value : extreme
    }
  }

  /// The elements of the values, which are collections of the operator's kind.
  private func joined(_ values: [Any], _ path: ArraySlice<String>) -> [Any] {
    let isOfArrays = self == .unionOfArrays || self == .distinctUnionOfArrays
    return values.flatMap { value in
      guard let collection = value as? any ToManyCollection, (collection.kind == .set) != isOfArrays else {
        refuse(value, path, isOfArrays ? "arrays" : "sets")
      }
      return collection.objects
    }
  }

  private func distinct(_ values: [Any], of collection: any ToManyCollection) -> Any {
    let values = DistinctValues(values)
    return collection.kind == .set ? values.set : values.array
  }

  // The type says it sooner than `is`, for which Foundation makes an object of every value.
  private static func isNull(_ value: Any) -> Bool {
    type(of: value) == NSNull.self
  }

  private func refuse(_ value: Any, _ path: ArraySlice<String>, _ expected: String) -> Never {
    misuse(
      "Cannot apply the operator @\(self) to the values for the key path \"\(path.joined(separator: "."))\"",
      because: "it takes \(expected), but one of them is of type \(type(of: value)): \(value)",
      remedy: "Name a key path that leads to \(expected) in all elements.")
  }
}
#endif
