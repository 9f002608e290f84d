#if !canImport(ObjectiveC)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Asks the runtime whether a class overrides a property of a superclass.
///
/// The identity of a property that can be overridden is the address of its getter's method descriptor, which stands in
/// the descriptor of the class that declares it. `swift_lookUpClassMethod`, by which subclasses in other modules find
/// the methods of their superclasses, gives the getter that a class has for it.
enum MethodOverrides {
  /// Whether `type` has another getter for a property than the superclass that declares it.
  ///
  /// Nil where the runtime can't be asked, as in a program that has the standard library linked in.
  static func overrides(_ type: AnyClass, _ property: PropertyIdentity, of declaringClass: AnyClass) -> Bool? {
    guard type != declaringClass, isGetter(property) else { return false }
    guard let lookUp, let description = description(of: declaringClass) else { return nil }
    let method = UnsafeRawPointer(bitPattern: property.address)
    guard let method else { return false }
    return lookUp(metadata(of: type), method, description)
      != lookUp(metadata(of: declaringClass), method, description)
  }

  /// Whether the identity is the address of a method descriptor: its first word has the flags of an instance's getter,
  /// and it stands behind the class's own descriptor. Else it is that of a getter that can't be overridden.
  private static func isGetter(_ identity: PropertyIdentity) -> Bool {
    guard let method = UnsafePointer<UInt32>(bitPattern: identity.address) else { return false }
    return method.pointee == 0x12
  }

  private static func metadata(of type: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// The class's own descriptor, which its metadata refers to: behind kind, superclass, and the flags and sizes.
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
