#if canImport(ObjectiveC)
import ObjectiveC

/// Properties of Objective-C, which Swift reaches through the selector of the getter.
///
/// Selectors are compared with those of the properties that the class and its superclasses have; the identity is never used
/// as one.
extension PropertyIdentity {
  /// The name of the property in a class, by which Foundation observes it; nil if there is none.
  func foundationName(in type: AnyClass) -> String? {
    var next: AnyClass? = type
    while let type = next {
      if let name = declaredName(in: type) { return name }
      next = class_getSuperclass(type)
    }
    return nil
  }

  private func declaredName(in type: AnyClass) -> String? {
    var count: UInt32 = 0
    guard let list = class_copyPropertyList(type, &count) else { return nil }
    defer { free(list) }
    return UnsafeBufferPointer(start: list, count: Int(count)).lazy
      .first { Self.getter(of: $0) == self }
      .map { String(cString: property_getName($0)) }
  }

  /// The selector of a property's getter, which has the property's name unless it says otherwise.
  private static func getter(of property: objc_property_t) -> PropertyIdentity {
    let custom = property_copyAttributeValue(property, "G")
    defer { free(custom) }
    let selector = custom.map { sel_registerName($0) } ?? sel_registerName(property_getName(property))
    return PropertyIdentity(address: UInt(bitPattern: unsafeBitCast(selector, to: UnsafeRawPointer.self)))
  }
}

extension ObservedKey {
  /// Whether Foundation observes keys that a ``KeyValueObject`` doesn't declare, such as `@objc dynamic` properties.
  static var areUndeclaredOfFoundation: Bool { true }
}
#endif
