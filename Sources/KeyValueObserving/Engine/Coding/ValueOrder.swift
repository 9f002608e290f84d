#if !canImport(ObjectiveC)
/// The order of values whose types are known only at run time.
enum ValueOrder {
  /// Compares two values: strings and numbers as Foundation does, even numbers of different types, and other values as
  /// their type does. Returns nil if they can't be compared.
  static func compare(_ left: Any, _ right: Any) -> ComparisonResult? {
    if let left = left as? String, let right = right as? String { return left.compare(right) }
    if let left = number(left), let right = number(right) { return left.compare(right) }
    if let left = left as? Date, let right = right as? Date { return left.compare(right) }
    guard let left = left as? any Comparable else { return nil }
    return compareAlike(left, right)
  }

  private static func compareAlike<Value: Comparable>(_ left: Value, _ right: Any) -> ComparisonResult? {
    guard let right = right as? Value else { return nil }
    return left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
  }

  private static func number(_ value: Any) -> NSNumber? {
    (value as? CGFloat).map { NSNumber(value: Double($0)) } ?? value as? NSNumber
  }
}
#endif
