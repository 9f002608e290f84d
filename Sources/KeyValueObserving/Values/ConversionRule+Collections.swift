// Every collection is read element by element: casts of Foundation lose the elements of subclasses on Linux.

extension Array: ConvertibleValue {
  static var conversionRule: ConversionRule {
    let convert = ElementConverter<Element>()
    return ConversionRule { value in
      guard let objects = ConversionRule.orderedObjects(value) else { return .refused(RefusedValue(value, Self.self)) }
      return convert.all(objects) {
        "at index \($0)"
      } into: {
        $0
      }
    }
  }
}

extension Set: ConvertibleValue {
  static var conversionRule: ConversionRule {
    let convert = ElementConverter<Element>()
    return ConversionRule { value in
      guard let objects = ConversionRule.objects(value) else { return .refused(RefusedValue(value, Self.self)) }
      return convert.all(objects) { _ in
        "in the set"
      } into: {
        Set($0)
      }
    }
  }
}

extension Dictionary: ConvertibleValue {
  static var conversionRule: ConversionRule {
    let (convertKey, convert) = (ElementConverter<Key>(), ElementConverter<Value>())
    return ConversionRule { value in
      guard let entries = ConversionRule.entries(value) else { return .refused(RefusedValue(value, Self.self)) }
      var dictionary = Dictionary(minimumCapacity: entries.count)
      for entry in entries {
        guard case .value(let key) = convertKey(entry.key) else {
          return .refused(RefusedValue(entry.key, Key.self).inside("among the keys"))
        }
        switch convert(entry.value) {
        case .value(let element):
          // Otherwise an entry would be lost.
          guard dictionary.updateValue(element, forKey: key) == nil else {
            return .refused(
              RefusedValue(entry.key, Key.self).inside("among the keys, where another one becomes equal,"))
          }
        case .refused(let refused): return .refused(refused.inside("for the key \(entry.key)"))
        }
      }
      return .value(dictionary)
    }
  }
}

/// Converts elements of collections, where `NSNull` stands for nil.
struct ElementConverter<Element> {
  private let convert = ValueConverter<Element>()
  private let null: Element? = (Element.self as? any OptionalValue.Type).flatMap { $0.null as? Element }

  func callAsFunction(_ object: Any) -> Conversion<Element> {
    let object = ObjectBridging.base(of: object) ?? NSNull()
    if type(of: object) == NSNull.self, let null { return .value(null) }
    return convert(object)
  }

  /// The collection that `make` makes of all elements.
  ///
  /// - Parameter place: Returns the place of the object at an index, for messages.
  func all<Collection>(
    _ objects: [Any], at place: (Int) -> String, into make: ([Element]) -> Collection
  ) -> Conversion<Any> {
    var elements: [Element] = []
    elements.reserveCapacity(objects.count)
    for (index, object) in objects.enumerated() {
      switch self(object) {
      case .value(let element): elements.append(element)
      case .refused(let refused): return .refused(refused.inside(place(index)))
      }
    }
    return .value(make(elements))
  }
}

extension ConversionRule {
  /// The elements of a collection that has an order.
  fileprivate static func orderedObjects(_ value: Any) -> [Any]? {
    guard let collection = value as? any ToManyCollection, collection.kind != .set else { return nil }
    return collection.objects
  }

  /// The elements of any collection.
  fileprivate static func objects(_ value: Any) -> [Any]? {
    (value as? any ToManyCollection)?.objects
  }

  fileprivate static func entries(_ value: Any) -> [(key: Any, value: Any)]? {
    (value as? any ObjectDictionary)?.entries
  }
}

// MARK: Foundation's collections

/// A view of a property, of which conversions make copies.
protocol CollectionView: AnyObject {}

extension ConversionRule {
  /// The rule for one of Foundation's collections; nil for another type.
  init?(toCollection type: Any.Type) {
    if type == NSArray.self {
      self.init(NSArray.self, Self.orderedObjects) { NSArray(array: $0) }
    } else if type == NSMutableArray.self {
      self.init(NSMutableArray.self, Self.orderedObjects) { NSMutableArray(array: $0) }
    } else if type == NSOrderedSet.self {
      self.init(NSOrderedSet.self, Self.orderedObjects) { DistinctValues($0).orderedSet }
    } else if type == NSMutableOrderedSet.self {
      self.init(NSMutableOrderedSet.self, Self.orderedObjects) {
        NSMutableOrderedSet(orderedSet: DistinctValues($0).orderedSet)
      }
    } else if type == NSSet.self {
      self.init(NSSet.self, Self.objects) { NSSet(array: $0) }
    } else if type == NSMutableSet.self {
      self.init(NSMutableSet.self, Self.objects) { NSMutableSet(array: $0) }
    } else if type == NSCountedSet.self {
      self.init(NSCountedSet.self, Self.objects) { NSCountedSet(array: $0) }
    } else if type == NSDictionary.self {
      self.init(NSDictionary.self, Self.hashableEntries) { NSDictionary(dictionary: $0) }
    } else if type == NSMutableDictionary.self {
      self.init(NSMutableDictionary.self, Self.hashableEntries) { NSMutableDictionary(dictionary: $0) }
    } else {
      return nil
    }
  }

  /// - Parameters:
  ///   - contents: Returns the contents of a collection that can be converted.
  ///   - make: Makes a collection of them.
  private init<Collection: AnyObject, Contents>(
    _ type: Collection.Type, _ contents: @escaping (Any) -> Contents?, _ make: @escaping (Contents) -> Collection
  ) {
    self.init { value in
      // The type is compared because a cast would bridge Swift's collections.
      if Swift.type(of: value) is Collection.Type, !(Swift.type(of: value) is any CollectionView.Type) {
        return .value(value)
      }
      return contents(value).map { .value(make($0)) } ?? .refused(RefusedValue(value, type))
    }
  }

  private static func hashableEntries(_ value: Any) -> [AnyHashable: Any]? {
    ValueConverter<[AnyHashable: Any]>()(value).value
  }
}
