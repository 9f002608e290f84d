#if !canImport(ObjectiveC)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Finds out from the runtime whether a class overrides a property of a superclass.
///
/// The identity of a property that can be overridden is the address of its getter's method descriptor, which is part of
/// the descriptor of the class that declares it. `swift_lookUpClassMethod`, with which subclasses in other modules find
/// the methods of their superclasses, returns the getter that a class has for it.
enum MethodOverrides {
  /// Whether the getter of a property in `type` differs from that in the class that declares it; nil if that can't be
  /// found out, as in a program that links the standard library statically.
  static func overrides(_ type: AnyClass, _ property: PropertyIdentity, of declaringClass: AnyClass) -> Bool? {
    guard type != declaringClass, isGetter(property) else { return false }
    guard let lookUp, let description = description(of: declaringClass) else { return nil }
    let method = UnsafeRawPointer(bitPattern: property.address)
    guard let method else { return false }
    return lookUp(metadata(of: type), method, description)
      != lookUp(metadata(of: declaringClass), method, description)
  }

  /// Whether the identity is the address of a method descriptor, whose first word contains the flags of an instance
  /// getter. Otherwise it is the address of a getter that can't be overridden.
  private static func isGetter(_ identity: PropertyIdentity) -> Bool {
    guard let method = UnsafePointer<UInt32>(bitPattern: identity.address) else { return false }
    return method.pointee == 0x12
  }

  private static func metadata(of type: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// The class's descriptor, which its metadata references after kind, superclass, flags, and sizes.
  private static func description(of type: AnyClass) -> UnsafeRawPointer? {
    metadata(of: type).load(fromByteOffset: 2 * MemoryLayout<UInt>.size + 24, as: UnsafeRawPointer?.self)
  }

  private typealias LookUp =
    @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?

  private static let lookUp: LookUp? = {
    #if os(Windows)
    nil
    #else
    dlsym(nil, "swift_lookUpClassMethod").map { unsafeBitCast($0, to: LookUp.self) }
    #endif
  }()
}
#endif
