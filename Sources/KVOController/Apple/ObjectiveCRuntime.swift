#if canImport(ObjectiveC)
import CKeyValueObserving
import ObjectiveC

/// A class whose properties Swift reaches through the selectors of their getters, which are compared with those of the
/// properties and methods that the class and its superclasses have; the identity is never used as one.
struct ObjectiveCClass {
  let type: AnyClass

  /// The name of a property of the class or of a superclass, the nearest one first; else that of the method, without `is`;
  /// nil if none has it.
  func name(of identity: PropertyIdentity) -> String? {
    let classes = sequence(first: self) { class_getSuperclass($0.type).map { ObjectiveCClass(type: $0) } }
    return classes.lazy.compactMap { $0.declaredProperty(identity) }.first
      ?? classes.lazy.compactMap { $0.declaredGetter(identity) }.first.map(Self.key)
  }

  private static func key(ofGetter name: String) -> String {
    let rest = name.dropFirst(2)
    guard name.hasPrefix("is"), let first = rest.first, first.isUppercase else { return name }
    // As a getter is named for a property: `isMuted` for `muted`, and `isURLValid` for `URLValid`.
    return rest.dropFirst().first?.isUppercase == true ? String(rest) : first.lowercased() + rest.dropFirst()
  }

  /// The name of the property of the class itself, if the runtime lists it. It doesn't list those of a category without an
  /// implementation, such as the `rate` of an `AVPlayer`.
  private func declaredProperty(_ identity: PropertyIdentity) -> String? {
    var count: UInt32 = 0
    guard let list = class_copyPropertyList(type, &count) else { return nil }
    defer { free(list) }
    let property = UnsafeBufferPointer(start: list, count: Int(count)).first { property in
      let getter = property_copyAttributeValue(property, "G")
      defer { free(getter) }
      return PropertyIdentity(of: sel_registerName(getter.map { UnsafePointer($0) } ?? property_getName(property)))
        == identity
    }
    return property.map { String(cString: property_getName($0)) }
  }

  /// The name of the method of the class itself, if it takes no argument and returns a value.
  private func declaredGetter(_ identity: PropertyIdentity) -> String? {
    var count: UInt32 = 0
    guard let list = class_copyMethodList(type, &count) else { return nil }
    defer { free(list) }
    let method = UnsafeBufferPointer(start: list, count: Int(count)).first {
      PropertyIdentity(of: method_getName($0)) == identity
    }
    // The object and the selector are arguments too. What returns nothing is encoded as "v", perhaps as oneway.
    guard let method, method_getNumberOfArguments(method) == 2 else { return nil }
    let value = method_copyReturnType(method)
    defer { free(value) }
    return ["v", "Vv"].contains(String(cString: value)) ? nil : String(cString: sel_getName(method_getName(method)))
  }
}

extension PropertyIdentity {
  fileprivate init(of selector: Selector) {
    self.init(address: UInt(bitPattern: unsafeBitCast(selector, to: UnsafeRawPointer.self)))
  }
}

extension ObservedKey {
  /// Whether Foundation observes keys that a ``KeyValueObject`` doesn't declare, such as `@objc dynamic` properties.
  static var areUndeclaredOfFoundation: Bool { true }
}

/// Calls `body`, and `unwound` if an Objective-C exception leaves it, which a caller catches: Foundation raises one for a key
/// that an object doesn't have.
func guarded<Result>(_ body: () -> Result, unwound: () -> Void) -> Result {
  var result: Result?
  // After an exception a closure's reference may be left over, because Swift's functions release nothing then.
  _ = withoutActuallyEscaping({ result = body() }) { body in
    withoutActuallyEscaping(unwound) { unwound in
      var calls = GuardedCalls(body: body, unwound: unwound)
      withUnsafeMutablePointer(to: &calls) { calls in
        kvo_guard(
          { $0.assumingMemoryBound(to: GuardedCalls.self).pointee.body() },
          { $0.assumingMemoryBound(to: GuardedCalls.self).pointee.unwound() }, calls)
      }
    }
  }
  // It has returned, since an exception would have left this function.
  return result.unsafelyUnwrapped
}

/// What is called with the address of a variable of the caller's.
private struct GuardedCalls {
  let body: () -> Void
  let unwound: () -> Void
}

/// A value that a message of Key-Value Coding passes or returns, which Objective-C bridges.
@inline(__always)
func bridgedLikeAMessage(_ value: Any?) -> Any? { value }

extension NSNumber {
  /// The bytes of a floating-point number; nil for an integer. The property `objCType` would autorelease the number, because it returns a
  /// pointer into it.
  var floatingPointSize: Int? { CFNumberIsFloatType(self) ? CFNumberGetByteSize(self) : nil }
}

extension NSValue {
  /// The size and alignment of what it contains. The property `objCType` would autorelease the value, for the same reason.
  var layout: (size: Int, alignment: Int)? {
    let selector = #selector(getter: NSValue.objCType)
    guard let method = class_getMethodImplementation(object_getClass(self), selector) else { return nil }
    typealias Method = @convention(c) (NSValue, Selector) -> UnsafePointer<CChar>
    var layout = (size: 0, alignment: 0)
    NSGetSizeAndAlignment(unsafeBitCast(method, to: Method.self)(self, selector), &layout.size, &layout.alignment)
    return layout
  }
}

extension ValueConverter {
  /// nil: Foundation bridges structures to `NSValue` and back, so that a cast converts them.
  static func structure(_ value: Any, as type: Any.Type) -> Any? { nil }
}
#endif
