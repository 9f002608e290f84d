import CKeyValueObserving
import Foundation

/// Whether two values are the same: equal ones, but only the same object. Optionals, arrays, sets, and dictionaries are compared by what
/// they contain.
///
/// The types are those that the values have, not those of their variables. It runs foreign code.
///
/// - Returns: nil if the values can't be compared. Two that don't equal themselves, as NaN doesn't, are the same.
/// - Complexity: Constant time for a collection and a copy of it, otherwise linear, with one look-up for each type.
func isSame(_ left: Any, _ right: Any) -> Bool? {
  requireNoLock("values are compared")
  // The commonest types, because finding out what a type conforms to takes long.
  switch ObjectIdentifier(type(of: left)) {
  case ObjectIdentifier(Bool.self): return (left as? Bool) == (right as? Bool)
  case ObjectIdentifier(Int.self): return (left as? Int) == (right as? Int)
  case ObjectIdentifier(String.self): return (left as? String) == (right as? String)
  default: return Comparison<Any>.ofDynamicTypes().areSame(left, right)
  }
}

/// A value that is kept without retaining an object that is compared by identity, which a weak property may lead to.
struct RememberedValue {
  private let value: Any?
  private let object: Weak<AnyObject>?

  init(_ value: Any?) {
    object = value.flatMap(Self.object).map { Weak<AnyObject>($0) }
    self.value = object == nil ? value : nil
  }

  /// The value; nil for an object that is deallocated since.
  var current: Any? { if let object { object.object } else { value } }

  /// Whether another value, or nil, is the same. What can't be compared is taken for the same; a deallocated object isn't the same as
  /// any other.
  func hasSame(_ other: Any?) -> Bool {
    guard let other else { return value == nil && object == nil }
    if let object { return object.object.map { $0 === Self.object(other) } ?? false }
    return value.map { isSame($0, other) ?? true } ?? false
  }

  /// The same, with what another one has besides, if both are values of lists.
  func added(to former: RememberedValue?) -> RememberedValue {
    guard let values = ListedValues.added(value, to: former?.value) else { return self }
    return RememberedValue(of: values)
  }

  private init(of values: ListedValues) { (value, object) = (values, nil) }

  /// The object, perhaps in an Optional, that a value is, if it is compared by identity.
  static func object(_ value: Any) -> AnyObject? {
    let type = type(of: value)
    if type == Int.self || type == String.self || type == Bool.self || type == Double.self { return nil }
    guard let value = unwrapped(value), Swift.type(of: value) is AnyObject.Type, !isValue(value as AnyObject) else {
      return nil
    }
    return value as AnyObject
  }
}

/// Whether two values of one type are equal; nil if they can't be compared. Two that don't equal themselves are equal.
func areEqual(_ left: Any, _ right: Any) -> Bool? {
  requireNoLock("values are compared by ==")
  func open<Value: Equatable>(_ left: Value) -> Bool? {
    (right as? Value).flatMap { Comparison<Value>.ofEquatable(Value.self)?.areSame(left, $0) }
  }
  return (left as? any Equatable).flatMap { open($0) }
}

/// Whether an object is an immutable value of Foundation's.
private func isValue(_ object: AnyObject) -> Bool {
  switch object {
  case is NSMutableData, is NSMutableAttributedString: false
  // On Apple platforms immutable strings are of a subclass of `NSMutableString` too. Their copy is the same object.
  case let string as NSString: string.copy() as AnyObject === string
  case is NSValue, is NSDate, is NSData, is NSURL, is NSUUID, is NSAttributedString: true
  default: false
  }
}

// MARK: Comparing

/// Whether values of a type can be compared, by `==`, by identity, or by what they contain.
func canBeCompared(_ type: Any.Type) -> Bool {
  type is any Equatable.Type || type is AnyObject.Type
    || kvo_is_existential_of_classes(unsafeBitCast(type, to: UnsafeRawPointer.self))
    || (type as? any Container.Type)?.contentTypes.allSatisfy(canBeCompared) == true
}

/// How two values of a type are compared, which is found once for all elements of a collection.
private struct Comparison<Value> {
  let areSame: (Value, Value) -> Bool?

  /// That of a static type.
  static func ofType() -> Comparison {
    if Value.self is AnyObject.Type { return Comparison { areSameObjects($0 as AnyObject, $1 as AnyObject) } }
    if let type = Value.self as? any Container.Type, !isPlain(type), let comparison = type.comparison as? Comparison {
      return comparison
    }
    return (Value.self as? any Equatable.Type).flatMap { ofEquatable($0) } ?? ofDynamicTypes()
  }

  /// That of a type by its `==`. It asks for the conformance of a value, so one that belongs to an actor is used only there.
  static func ofEquatable(_ type: any Equatable.Type) -> Comparison? {
    func open<Equal: Equatable>(_ type: Equal.Type) -> Comparison? {
      var isThere: Bool?
      return Comparison<Equal> { left, right in
        if isThere == nil { isThere = (left as Any) is any Equatable }
        return isThere == true ? left == right || (left != left && right != right) : nil
      } as? Comparison
    }
    return open(type)
  }

  /// That of existential values, by the types that they have, of which the last one is remembered.
  static func ofDynamicTypes() -> Comparison {
    var known: (type: ObjectIdentifier, areSame: (Any, Any) -> Bool?)?
    return Comparison { left, right in
      let type = Swift.type(of: left as Any)
      if type is AnyObject.Type {
        return Swift.type(of: right as Any) is AnyObject.Type && areSameObjects(left as AnyObject, right as AnyObject)
      }
      guard type == Swift.type(of: right as Any) else { return false }
      if known?.type != ObjectIdentifier(type) {
        func open<Actual>(_ type: Actual.Type) -> (Any, Any) -> Bool? {
          // A type that is none of these would be looked up by the types that its values have, without end.
          let isKnown = type is any Container.Type || type is any Equatable.Type
          let comparison = isKnown ? Comparison<Actual>.ofType() : nil
          return { comparison?.areSame(exactCast($0, to: type), exactCast($1, to: type)) ?? nil }
        }
        known = (ObjectIdentifier(type), _openExistential(type, do: open))
      }
      return known?.areSame(left, right) ?? nil
    }
  }

  private static func areSameObjects(_ left: AnyObject, _ right: AnyObject) -> Bool {
    left === right || (isValue(left) && isValue(right) && (left as? NSObject)?.isEqual(right) == true)
  }
}

/// A value that is compared by what it contains.
private protocol Container {
  static var contentTypes: [Any.Type] { get }
  /// The `Comparison` of the type.
  static var comparison: Any { get }
}

/// Whether values of a type can be compared by `==`, because they neither are nor contain what is compared by identity.
private func isPlain(_ type: Any.Type) -> Bool {
  guard let container = type as? any Container.Type else {
    return type is any Equatable.Type && !(type is AnyObject.Type)
  }
  return !container.contentTypes.isEmpty && container.contentTypes.allSatisfy(isPlain)
}

extension Optional: Container {
  fileprivate static var contentTypes: [Any.Type] { [Wrapped.self] }

  fileprivate static var comparison: Any {
    let wrapped = Comparison<Wrapped>.ofType()
    return Comparison<Self> { left, right in
      guard let left, let right else { return left == nil && right == nil }
      return wrapped.areSame(left, right)
    }
  }
}

extension Array: Container {
  fileprivate static var contentTypes: [Any.Type] { [Element.self] }

  fileprivate static var comparison: Any {
    let elements = Comparison<Element>.ofType()
    return Comparison<Self> { left, right in
      guard left.count == right.count else { return false }
      if left.isEmpty { return true }
      return left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in
          let (own, others) = (left.baseAddress!, right.baseAddress!)
          // The same bytes are the same references and values.
          if memcmp(own, others, left.count * MemoryLayout<Element>.stride) == 0 { return true }
          return areAllSame(
            left.indices.lazy.map { index in
              memcmp(own + index, others + index, MemoryLayout<Element>.size) == 0
                ? true : elements.areSame(left[index], right[index])
            })
        }
      }
    }
  }
}

extension Set: Container {
  fileprivate static var contentTypes: [Any.Type] { [Element.self] }

  fileprivate static var comparison: Any {
    let elements = Comparison<Element>.ofType()
    return Comparison<Self> { left, right in
      guard left.count == right.count else { return false }
      if shareStorage(left, right) { return true }
      return areAllSame(
        left.lazy.map { element in
          right.firstIndex(of: element).map { elements.areSame(element, right[$0]) } ?? false
        })
    }
  }
}

extension Dictionary: Container {
  fileprivate static var contentTypes: [Any.Type] { [Key.self, Value.self] }

  fileprivate static var comparison: Any {
    let (keys, values) = (Comparison<Key>.ofType(), Comparison<Value>.ofType())
    return Comparison<Self> { left, right in
      guard left.count == right.count else { return false }
      if shareStorage(left, right) { return true }
      return areAllSame(
        left.lazy.map { key, value in
          guard let index = right.index(forKey: key) else { return false }
          guard keys.areSame(key, right[index].key) == true else { return false }
          return values.areSame(value, right[index].value)
        })
    }
  }
}

extension AnyHashable: Container {
  fileprivate static var contentTypes: [Any.Type] { [] }
  fileprivate static var comparison: Any { Comparison<Self> { isSame($0.base, $1.base) } }
}

/// The values of the paths of a list, of which only those that both lists have are compared.
struct ListedValues: Container {
  fileprivate static var contentTypes: [Any.Type] { [] }

  fileprivate static var comparison: Any {
    Comparison<Self> { left, right in
      right.values.allSatisfy { left.values[$0]?.hasSame($1.current) == true }
    }
  }

  private var values: [ObjectIdentifier: RememberedValue]

  /// The values of a list, and those of other paths that the former ones have; nil if these aren't values of a list.
  static func added(_ new: Any?, to former: Any?) -> ListedValues? {
    guard let new, let former, type(of: new) == Self.self, type(of: former) == Self.self else { return nil }
    var all = exactCast(former, to: Self.self)
    for (path, value) in exactCast(new, to: Self.self).values { all.values[path] = value }
    return all
  }

  init(_ values: [Any?], of paths: [AnyObject]) {
    self.values = Dictionary(
      uniqueKeysWithValues: zip(paths.map { ObjectIdentifier($0) }, values.map { RememberedValue($0) }))
  }
}

/// Whether two collections, each a reference to its storage, are copies of each other.
private func shareStorage<Collection>(_ left: Collection, _ right: Collection) -> Bool {
  withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
}

private func areAllSame(_ results: some Sequence<Bool?>) -> Bool? {
  var areComparable = true
  for result in results where result != true {
    if result == false { return false }
    areComparable = false
  }
  return areComparable ? true : nil
}
