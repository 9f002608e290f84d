#if canImport(ObjectiveC)
import ObjectiveC

/// Properties of Objective-C, which Swift reaches through the selector of the getter.
///
/// Selectors are compared with those of the properties that the class and its superclasses have; the identity is never used
/// as one.
extension PropertyIdentity {
  /// The name of the property in a class, by which Foundation observes it; nil if there is none.
  func foundationName(in type: AnyClass) -> String? { ObjectiveCClass(type: type).name(of: self) }
}

private struct ObjectiveCClass: DeclaringClass {
  let type: AnyClass

  var superclass: ObjectiveCClass? { class_getSuperclass(type).map { ObjectiveCClass(type: $0) } }

  var declaredProperties: [(name: String, customGetter: String?)] {
    var count: UInt32 = 0
    guard let list = class_copyPropertyList(type, &count) else { return [] }
    defer { free(list) }
    return UnsafeBufferPointer(start: list, count: Int(count)).map { property in
      let getter = property_copyAttributeValue(property, "G")
      defer { free(getter) }
      return (String(cString: property_getName(property)), getter.map { String(cString: $0) })
    }
  }

  static func identity(ofGetter name: String) -> PropertyIdentity {
    PropertyIdentity(ofSelectorAt: UInt(bitPattern: unsafeBitCast(sel_registerName(name), to: UnsafeRawPointer.self)))
  }
}

extension ObservedKey {
  /// Whether Foundation observes keys that a ``KeyValueObject`` doesn't declare, such as `@objc dynamic` properties.
  static var areUndeclaredOfFoundation: Bool { true }
}
#endif
