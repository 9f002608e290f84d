#if !canImport(ObjectiveC)
extension KeyValueObject {
  // MARK: Associated objects

  /// The associated object for `key`; nil if there is none, or if the base class's `deinit` has begun.
  final func associatedObject(_ key: AssociationKey) -> AnyObject? {
    guard let info = observationInfoIfMade else { return nil }
    return info.withLock { info.extras?.associatedObjects[ObjectIdentifier(key)] }
  }

  /// Associates `value` with this object, which retains it until it is deallocated.
  ///
  /// - Returns: The associated object. Without `replacing` it is the first one, even if two threads call this at once.
  @discardableResult
  package final func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    requireNoLock("an object is associated")
    guard let info = madeObservationInfo else { return value }
    let (kept, replaced) = info.withExtras { extras -> (AnyObject, AnyObject?) in
      let present = extras?.associatedObjects[ObjectIdentifier(key)]
      if let present, !replacing { return (present, nil) }
      extras?.associatedObjects[ObjectIdentifier(key)] = value
      return (value, present)
    }
    return withExtendedLifetime(replaced) { kept }
  }
}

// MARK: Foreign objects

/// Whether the engine doesn't observe objects of a class itself.
func isForeignClass(_ type: KeyValueObservable.Type) -> Bool { type is any ForeignObject.Type }

extension KeyValueObject {
  /// This object, if the engine observes it itself.
  final var own: KeyValueObject? { properties.isForeign ? nil : self }

  /// This object, if the engine doesn't observe it itself.
  final var foreign: (any ForeignObject)? { properties.isForeign ? self as? any ForeignObject : nil }
}

/// `value`, which isn't an Optional, as an object of the engine; nil if it isn't one.
func keyValueObject(_ value: Any) -> KeyValueObject? { observableObject(value)?.own }

// MARK: The runtime of Objective-C

extension ObservedKey {
  /// Whether Foundation observes keys that a ``KeyValueObject`` doesn't declare.
  static var areUndeclaredOfFoundation: Bool { false }
}

/// Calls `body`. Nothing leaves it but its end.
@inline(__always)
func guarded<Result>(_ body: () -> Result, unwound: () -> Void) -> Result { body() }

// MARK: Bridging

/// A value that a message of Key-Value Coding passes or returns. On Apple platforms it is bridged to Objective-C on its way.
@inline(__always)
func bridgedLikeAMessage(_ value: Any?) -> Any? {
  #if KVO_STAND_INS
  return value.map { $0 as AnyObject }
  #else
  return value
  #endif
}

// MARK: Numbers and structures in objects

extension NSNumber {
  /// The bytes of a floating-point number; nil for an integer.
  var floatingPointSize: Int? {
    switch UnicodeScalar(UInt8(truncatingIfNeeded: objCType.pointee)) {
    case "f": 4
    case "d": 8
    default: nil
    }
  }
}

extension NSValue {
  /// The size and alignment of what it contains; nil for structures, of which Foundation doesn't know them.
  var layout: (size: Int, alignment: Int)? {
    guard strlen(objCType) == 1 else { return nil }
    var layout = (size: 0, alignment: 0)
    _ = NSGetSizeAndAlignment(objCType, &layout.size, &layout.alignment)
    return layout
  }
}

extension ValueConverter {
  /// The structure of a type that an `NSValue` contains, or an `NSValue` that contains a structure; nil for other values.
  static func structure(_ value: Any, as type: Any.Type) -> Any? {
    switch value {
    case let range as NSRange where type == NSValue.self: return NSValue(range: range)
    case let point as CGPoint where type == NSValue.self: return NSValue(point: point)
    case let size as CGSize where type == NSValue.self: return NSValue(size: size)
    case let rect as CGRect where type == NSValue.self: return NSValue(rect: rect)
    case let value as NSValue:
      func contains(_ sample: NSValue) -> Bool { strcmp(value.objCType, sample.objCType) == 0 }
      if type == NSRange.self, contains(NSValue(range: NSRange())) { return value.rangeValue }
      if type == CGPoint.self, contains(NSValue(point: .zero)) { return value.pointValue }
      if type == CGSize.self, contains(NSValue(size: .zero)) { return value.sizeValue }
      if type == CGRect.self, contains(NSValue(rect: .zero)) { return value.rectValue }
      return nil
    default: return nil
    }
  }
}
#endif
