/// A collection operator in a key path, which combines the collection to its left into one value.
///
/// The key path to its right applies to the elements: `@avg.items.@count` is the average number of the elements' items.
/// The results are those of Foundation, as it behaves where its documentation differs:
///
/// - Elements whose value is nil count as 0 in an average, and are ignored by the others. `NSNull`, which represents a
///   nil element of an array, is nil for numeric operators, where Foundation raises an exception; unions contain it.
/// - Sums and averages are computed in decimal arithmetic. Those of decimal numbers are `NSDecimalNumber`s, others
///   plain `NSNumber`s, integers if they are whole. An average, maximum, or minimum of nothing is nil.
/// - Unions are arrays, and distinct unions of a set's elements are sets. Foundation has the others for arrays only.
enum CollectionOperator: String, CaseIterable {
  case avg, count, distinctUnionOfArrays, distinctUnionOfObjects, distinctUnionOfSets, max, min, sum
  case unionOfArrays, unionOfObjects, unionOfSets

  /// The result of the operator `name`, which begins with `@`, for `collection`; `path` is the key path to its right.
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
        because: "it needs a key path to its right", remedy: "Use \(name).self for the elements themselves.")
    }
    return known.value(path, of: collection)
  }

  private func value(_ path: ArraySlice<String>, of collection: any ToManyCollection) -> Any? {
    let count = collection.objectCount
    var values: [Any] { collection.objects.compactMap { CodingReader.value(path, of: $0) } }
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

  /// The first of the values that doesn't compare as `order` with another: the maximum or the minimum.
  private func extreme(_ values: [Any], _ order: ComparisonResult, _ path: ArraySlice<String>) -> Any? {
    values.lazy.filter { !Self.isNull($0) }.reduce(nil) { extreme, value in
      guard let extreme else { return value }
      guard let comparison = ValueOrder.compare(extreme, value) else {
        let example = type(of: value) == type(of: extreme) ? "" : ", such as \(type(of: extreme))"
        refuse(value, path, "values that can be compared with each other\(example)")
      }
      return comparison == order ? value : extreme
    }
  }

  /// The elements of the values, which must be collections of the operator's kind.
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

  // Comparing types is faster than `is`, for which Foundation would bridge every value to an object.
  private static func isNull(_ value: Any) -> Bool {
    type(of: value) == NSNull.self
  }

  private func refuse(_ value: Any, _ path: ArraySlice<String>, _ expected: String) -> Never {
    misuse(
      "Cannot apply the operator @\(self) to the values for the key path \"\(path.joined(separator: "."))\"",
      because: "it takes \(expected), but one of them is of type \(type(of: value)): \(value)",
      remedy: "Use a key path that leads to \(expected) in all elements.")
  }
}

private enum ValueOrder {
  /// Compares strings, and numbers even of different types, as Foundation does; others as their type does. nil if it can't.
  static func compare(_ left: Any, _ right: Any) -> ComparisonResult? {
    if let left = left as? String, let right = right as? String { return left.compare(right) }
    if let left = number(left), let right = number(right) { return decimal(left, right) ?? left.compare(right) }
    if let left = left as? Date, let right = right as? Date { return left.compare(right) }
    guard let left = left as? any Comparable else { return nil }
    return compareAlike(left, right)
  }

  private static func compareAlike<Value: Comparable>(_ left: Value, _ right: Any) -> ComparisonResult? {
    guard let right = right as? Value else { return nil }
    return left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
  }

  /// Compares a decimal number with any other, which the Foundation of Swift 6.3 does wrongly outside Apple platforms.
  private static func decimal(_ left: NSNumber, _ right: NSNumber) -> ComparisonResult? {
    guard (left is NSDecimalNumber) != (right is NSDecimalNumber), let left = NumberValue(left)?.decimal,
      let right = NumberValue(right)?.decimal
    else { return nil }
    return compareAlike(left, right)
  }

  private static func number(_ value: Any) -> NSNumber? {
    (value as? CGFloat).map { NSNumber(value: Double($0)) } ?? ObjectBridging.number(value)
  }
}

/// A sum in decimal arithmetic, as in Foundation: 0.1 and 0.2 add up to 0.3, and 64-bit integers stay exact. A number
/// counts as its shortest decimal notation. One that `Decimal` can't represent, such as infinity, turns the sum into a
/// binary one.
struct DecimalSum {
  /// nil once a number was added that `Decimal` can't represent.
  private var decimal: Decimal? = 0
  private var binary = 0.0
  /// Whether a decimal number was added; nil if nothing was.
  private var hasDecimal: Bool?

  /// The sum: a decimal number if one was added, or nothing was; otherwise an integer if it is whole.
  var number: NSNumber {
    guard let decimal else { return NSNumber(value: binary) }
    if hasDecimal != false { return NSDecimalNumber(decimal: decimal) }
    let notation = decimal.description
    if let whole = Int64(notation) { return NSNumber(value: whole) }
    if let whole = UInt64(notation) { return NSNumber(value: whole) }
    return NSNumber(value: Double(notation) ?? binary)
  }

  /// Adds a number, or a string that contains one; returns false for any other value.
  mutating func add(_ value: Any) -> Bool {
    let number = NumberValue(value)
    guard let notation = number?.notation ?? (value as? String), let addend = Double(notation) else { return false }
    if case .decimal = number { hasDecimal = true } else { hasDecimal = hasDecimal ?? false }
    binary += addend
    let exact = number.map(\.decimal) ?? Decimal(string: notation)
    decimal = decimal.flatMap { sum in exact.map { sum + $0 } }.flatMap { $0.isNaN ? nil : $0 }
    return true
  }

  func divided(by count: Int) -> DecimalSum {
    var part = self
    part.decimal = decimal.map { $0 / Decimal(count) }
    part.binary = binary / Double(count)
    return part
  }
}

/// Values without duplicates, in the order of their first occurrence. As in Foundation's collections, numbers of
/// different types are equal if their values are, and Foundation's objects are equal to the Swift values that they
/// bridge to.
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

  // Without duplicates, because the Foundation of Swift 6.3 creates a corrupt ordered set from an array with duplicates.
  var orderedSet: NSOrderedSet { NSOrderedSet(array: array) }
}
