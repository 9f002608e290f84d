import KVOController
import _RandomPrograms

/// A row of the table of conversions.
protocol ConversionRow {
  /// Converts numbers chosen by chance, alone and in a collection. Returns what is wrong.
  func failure(_ choices: inout Choices) -> String?
}

/// What numbers become in properties of one type, alone and as elements.
struct TypeRow<Element: Hashable>: ConversionRow {
  private final class Model: KeyValueObject {
    @Observed var single: Element
    @Observed var maybe: Element?
    @Observed var twice: Element??
    @Observed var array: [Element] = []
    @Observed var maybeArray: [Element]?
    @Observed var maybes: [Element?] = []
    @Observed var nested: [[Element]] = []
    @Observed var set: Set<Element> = []
    @Observed var maybeSet: Set<Element>?
    @Observed var dictionary: [String: Element] = [:]
    @Observed var table: [AnyHashable: [Element?]]?

    init(_ element: Element) { single = element }
  }

  private let range: ClosedRange<Int>
  private let converted: (Int) -> Element

  /// - Parameters:
  ///   - range: The numbers of quarters that the type can hold.
  ///   - converted: What a number of quarters becomes.
  init(_ type: Element.Type, _ range: ClosedRange<Int>, _ converted: @escaping (Int) -> Element) {
    self.range = range
    self.converted = converted
  }

  func failure(_ choices: inout Choices) -> String? {
    let quarters = (0..<choices.below(5)).map { _ in number(&choices) }
    let values = quarters.map { quarters in
      // The Foundation of Swift 6.3 can't hash an `NSDecimalNumber`.
      NumberSource.value(quarters, &choices, hashable: Element.self == NSNumber.self)
    }
    let expected = quarters.map(converted)
    let model = Model(converted(0))
    func failure(_ key: String, _ value: Any, _ isRight: () -> Bool) -> String? {
      model.setValue(value, forKey: key)
      if isRight() { return nil }
      return "\(value) of type \(type(of: value)) isn't converted for \(key) of \(Model.self)"
    }

    switch choices.below(8) {
    case 0:
      guard let value = values.first else { return nil }
      return failure("single", value) { model.single == expected[0] } ?? failure("maybe", value) {
        model.maybe == expected[0]
      }
        ?? failure("twice", value) { model.twice == .some(expected[0]) }
    case 1:
      return failure("array", ordered(values, &choices)) { model.array == expected }
        ?? failure("maybeArray", ordered(values, &choices)) { model.maybeArray == expected }
    case 2:
      let place = choices.below(values.count + 1)
      let (values, expected) = (inserting(NSNull(), values, place), inserting(nil, expected, place))
      return failure("maybes", ordered(values, &choices)) { model.maybes == expected }
    case 3:
      let nested = [ordered(values, &choices), [Any](), ordered(values, &choices)]
      return failure("nested", nested) { model.nested == [expected, [], expected] }
    case 4:
      return failure("set", any(values, &choices)) { model.set == Set(expected) }
        ?? failure("maybeSet", any(values, &choices)) { model.maybeSet == Set(expected) }
    case 5:
      let entries = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("\($0)", $1) })
      let named = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ("\($0)", $1) })
      return failure("dictionary", dictionary(entries, &choices)) { model.dictionary == named }
    case 6:
      let entries: [String: Any] = ["a": ordered(values, &choices), "b": [NSNull()]]
      return failure("table", dictionary(entries, &choices)) { model.table == ["a": expected, "b": [nil]] }
    default:
      // Through proxies, and from one object to another.
      model.mutableArrayValue(forKey: "array").addObjects(from: values)
      let other = Model(converted(0))
      other.setValue(model.mutableArrayValue(forKey: "array"), forKey: "array")
      other.mutableSetValue(forKey: "set").addObjects(from: values)
      model.setValue(other.mutableSetValue(forKey: "set"), forKey: "maybeSet")
      model.setValue(other.value(forKey: "set"), forKey: "set")
      let isRight =
        other.array == expected && other.set == Set(expected) && model.maybeSet == other.set && model.set == other.set
      return isRight ? nil : "\(values) through proxies of \(Model.self)"
    }
  }

  private func number(_ choices: inout Choices) -> Int {
    switch choices.below(6) {
    case 0: range.lowerBound
    case 1: range.upperBound
    case 2: max(range.lowerBound, 0)
    case 3: min(range.upperBound, choices.below(21))
    default: choices.number(in: range)
    }
  }

  private func inserting<Value>(_ value: Value, _ values: [Value], _ place: Int) -> [Value] {
    Array(values[..<place]) + [value] + values[place...]
  }

  private func inserting(_ value: Element?, _ values: [Element], _ place: Int) -> [Element?] {
    inserting(value, values.map { $0 as Element? }, place)
  }

  // MARK: Collections

  private func ordered(_ values: [Any], _ choices: inout Choices) -> Any {
    switch choices.below(4) {
    case 0: NSArray(array: values)
    case 1: NSMutableArray(array: values)
    case 2: values.map { $0 as Any? }
    default: values
    }
  }

  private func any(_ values: [Any], _ choices: inout Choices) -> Any {
    let hashables = values.compactMap { $0 as? AnyHashable }
    // The Foundation of Swift 6.3 can't hash an `NSDecimalNumber`.
    guard !values.contains(where: { $0 is Decimal }) else { return ordered(values, &choices) }
    return switch choices.below(5) {
    case 0: NSSet(array: values)
    case 1: NSMutableSet(array: values)
    case 2: NSCountedSet(array: values)
    case 3: Set(hashables)
    default: ordered(values, &choices)
    }
  }

  private func dictionary(_ entries: [String: Any], _ choices: inout Choices) -> Any {
    switch choices.below(4) {
    case 0: NSDictionary(dictionary: entries)
    case 1: NSMutableDictionary(dictionary: entries)
    case 2: entries as [AnyHashable: Any]
    default: entries
    }
  }
}
